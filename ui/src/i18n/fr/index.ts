import type { Messages } from '../messages.ts';
import { common } from './common.ts';
import { shell } from './shell.ts';

export const fr: Messages = { common, shell };
