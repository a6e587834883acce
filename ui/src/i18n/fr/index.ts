import type { Messages } from '../messages.ts';
import { common } from './common.ts';
import { data } from './data.ts';
import { shell } from './shell.ts';

export const fr: Messages = { common, data, shell };
