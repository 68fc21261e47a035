// CommonJS and old syntax, so that a Node too old for the rest can still say so.
'use strict';

var oldest = [20, 19];

/** Ends the process with one sentence when this Node is too old. */
exports.requireNode = function requireNode() {
  var seen = process.versions.node.split('.').map(Number);
  if (seen[0] > oldest[0] || (seen[0] === oldest[0] && seen[1] >= oldest[1])) return;
  process.stderr.write(
    'loadline: this is Node ' +
      process.versions.node +
      '; Loadline needs Node ' +
      oldest.join('.') +
      ' or newer: install it from https://nodejs.org and run this again.\n',
  );
  process.exit(1);
};
