import type { Command } from './command.ts';
import { serveCommand } from './serve-command.ts';

/** Every command; the first is meant when none is named. */
export const COMMANDS: readonly Command[] = [serveCommand];
