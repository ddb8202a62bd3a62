// Imported to see whether the engine has modules with `await` at their top.
await null;
