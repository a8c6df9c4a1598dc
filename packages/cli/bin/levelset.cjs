#!/usr/bin/env node
// Starts the command. Plain JavaScript of an old kind, so that an old Node can at least say what is wrong.
"use strict";

var parts = process.versions.node.split(".");
var major = Number(parts[0]);
var minor = Number(parts[1]);
if (major < 22 || (major === 22 && minor < 19)) {
  refuse("needs Node 22.19 or newer");
} else {
  start();
}

function refuse(need) {
  process.stderr.write("levelset: " + need + ", this is " + process.version + "\n");
  process.exitCode = 1;
}

function start() {
  var path = require("node:path");
  var source = path.join(__dirname, "..", "src", "main.ts");
  var isClone = require("node:fs").existsSync(source);
  // In a clone sources run as they are, and are written for a newer Node than what is compiled from them.
  if (isClone && major < 24) return refuse("in a clone needs Node 24 or newer");
  // Compiled code, and sources with their types stripped, are kept between starts: half the time of a start is that.
  require("node:module").enableCompileCache();
  var entry = isClone ? source : path.join(__dirname, "..", "dist", "main.js");
  if (isClone) {
    // Let our packages find each other's sources too. Installed packages have none.
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
