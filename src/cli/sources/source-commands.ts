import { writeFile } from 'node:fs/promises';
import {
  type Command,
  type CommandContext,
  type ExitStatus,
  type FlagValues,
  loadCommandConfig,
  WrongUse,
} from '../command.ts';

/** Commands for sources of the enrichment service. They may run while the program does. */
export const SOURCE_COMMANDS: readonly Command[] = [
  {
    name: 'sources record',
    usage: 'NAME VALUE',
    summary:
      'Ask the source NAME of enrichment.adapters for VALUE with its key, and save requests and answers without secrets, as tests play them.',
    flags: {
      type: { value: 'required', description: 'type of the value; default: the first that it fits' },
      out: { value: 'required', description: 'new file that is written; default: standard output' },
    },
    run: recordAnswer,
  },
];

async function recordAnswer(
  context: CommandContext,
  flags: FlagValues,
  name: string,
  [, value = '']: readonly string[] = [],
): Promise<ExitStatus> {
  const [[type], [out]] = [flags.type ?? [], flags.out ?? []];
  const { recordLookup } = await import('../../enrichment/adapters/record-lookup.ts');
  const { text, error } = await recordLookup(loadCommandConfig(context), { name, value, type }, context.ending);
  if (error !== undefined) context.printError(`ERROR: ${error}`);
  if (out === undefined) context.print(text);
  else await write(out, text);
  return error === undefined ? 0 : 1;
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, `${text}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new WrongUse(`${file} is there already. Name a new file with --out.`);
    throw new WrongUse(`${file} cannot be written: ${code}.`);
  }
}
