// Imported to see whether the engine has ECMAScript modules.
export default null;
