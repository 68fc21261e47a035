'use strict';

require('./node-version.cjs').requireNode();
import('./launch.mjs');
