import { CLASSIFICATION_COMMANDS } from './classification-commands.ts';
import type { Command } from './command.ts';
import { importCommand } from './import-command.ts';
import { LIFECYCLE_COMMANDS } from './lifecycle-commands.ts';
import { migrateCommand } from './migrate-command.ts';
import { reindexCommand } from './reindex-command.ts';
import { serveCommand } from './serve-command.ts';
import { USER_COMMANDS } from './user-commands.ts';

/** Every command; the first is meant when none is named. */
export const COMMANDS: readonly Command[] = [
  serveCommand,
  ...USER_COMMANDS,
  importCommand,
  migrateCommand,
  reindexCommand,
  ...LIFECYCLE_COMMANDS,
  ...CLASSIFICATION_COMMANDS,
];
