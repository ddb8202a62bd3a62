// Loaded to see whether the engine can read it.
await null;
