#!/usr/bin/env node
// Starts the command. Plain JavaScript of an old kind, so that an old Node can at least say what is wrong.
"use strict";

var parts = process.versions.node.split(".");
var major = Number(parts[0]);
var minor = Number(parts[1]);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write("levelset: needs Node 22.19 or newer, this is " + process.version + "\n");
  process.exitCode = 1;
} else {
  start();
}

function start() {
  var fs = require("node:fs");
  var path = require("node:path");
  // Compiled code, and sources with their types stripped, are kept between starts: half the time of a start is that.
  require("node:module").enableCompileCache();
  var source = path.join(__dirname, "..", "src", "main.ts");
  var built = path.join(__dirname, "..", "dist", "main.js");
  var entry = built;
  if (fs.existsSync(source)) {
    // In a clone: run the sources, and let our packages find each other's sources too. Installed packages have none.
    entry = source;
    require("node:module").registerHooks({
      resolve: function (specifier, context, next) {
        var conditions = context.conditions.concat("levelset-source");
        return next(specifier, Object.assign({}, context, { conditions: conditions }));
      },
    });
  }
  import(require("node:url").pathToFileURL(entry).href)
    .then(function (main) {
      return main.main(process.argv.slice(2));
    })
    .catch(function (error) {
      // Only a broken installation comes here: the command itself reports its own errors.
      process.stderr.write("levelset: cannot start: " + String(error.message).split("\n")[0] + "\n");
      if (process.argv.indexOf("--verbose") !== -1) process.stderr.write(error.stack + "\n");
      process.exitCode = 1;
    });
}
