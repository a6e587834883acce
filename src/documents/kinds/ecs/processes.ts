import { boolean, date, group, integer, keyword, long, mapping } from '../../schema/field-builders.ts';
import { codeSignature, hashes, pe } from './files.ts';
import { shortAccount } from './people.ts';

const entryMeta = group('EntryMeta', 'How the session of the process began.', {
  type: keyword('Kind of entry, such as sshd or terminal.').optionalNotEmpty(),
});

/** Before `parent`, in the order in which fields are read. */
const first = {
  args: keyword('Arguments, the program included.').list().optional(),
  args_count: integer('Number of arguments.').optional(),
  code_signature: codeSignature.optional(),
  command_line: keyword('Whole command line.').optional(),
  end: date('When the process ended.').optional(),
  entity_id: keyword('Identifier that is unique among all processes of all times.').optional(),
  entry_meta: entryMeta.optional(),
  env_vars: mapping('Environment variables.', keyword('Value of the variable.')).optional(),
  executable: keyword('Path of the program.').optional(),
  exit_code: integer('Exit code.').optional(),
  hash: hashes.optional(),
  interactive: boolean('Whether it is attached to a terminal.').optional(),
  name: keyword('Name of the process.').optional(),
};

/** After `parent`. */
const last = {
  pe: pe.optional(),
  pid: long('Number of the process.').optional(),
  same_as_process: boolean('Whether this is the same process as the leader.').optional(),
  start: date('When the process began.').optional(),
  title: keyword('Title of the process, often the same as the name.').optional(),
  uptime: integer('Seconds for which it had been running.').optional(),
  user: shortAccount.optional(),
  working_directory: keyword('Working directory.').optional(),
};

const grandparentProcess = group('ParentParentProcess', 'Process that started the parent.', { ...first, ...last });

const parentProcess = group('ParentProcess', 'Process that started the process.', {
  ...first,
  parent: grandparentProcess.optional(),
  ...last,
});

export const runningProcess = group('Process', 'Process.', { ...first, parent: parentProcess.optional(), ...last });
