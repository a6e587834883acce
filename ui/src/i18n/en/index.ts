import { common } from './common.ts';
import { shell } from './shell.ts';

/** All messages in English, by subject. The French ones have the same shape. */
export const en = { common, shell };
