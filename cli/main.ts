import { runCommandLine } from './command-line.js';
import { exitWith, realProcess } from './process.js';

await exitWith(await runCommandLine(realProcess()));
