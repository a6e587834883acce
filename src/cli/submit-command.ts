import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, type CommandContext, type ExitStatus, type FlagValues, WrongUse } from './command.ts';
import { connectionOf } from './connection.ts';
import { createProgressDisplay } from './progress-display.ts';
import { SubmissionClient, SubmissionRefused } from './submission-client.ts';

/** Files that are analysed at the same time, fewer than the default quota of a user. */
const CONCURRENT = 4;

/** Submits files to a running program and prints a line for each. */
export const submitCommand: Command = {
  name: 'submit',
  usage: 'FILE|FOLDER...',
  summary:
    'Have files analysed by a running program, and print score, files, errors, identifier and path of each. The key is in TRIAD_API_KEY.',
  flags: {
    server: { value: 'required', description: 'address of the analysis service; default: this machine' },
    user: { value: 'required', description: 'user who submits; default: admin' },
    profile: { value: 'required', description: 'submission profile' },
    params: { value: 'required', description: 'parameters of the submissions, as JSON' },
    'max-score': { value: 'required', description: 'exit status 1 when a file scores higher' },
  },
  run: submitAll,
};

async function submitAll(
  context: CommandContext,
  flags: FlagValues,
  _first: string,
  given: readonly string[] = [],
): Promise<ExitStatus> {
  const client = clientOf(context, flags);
  const limit = numberOf(flags, 'max-score');
  const files = await filesIn(given);
  const display = await createProgressDisplay(context, 'files');
  let done = 0;
  let isBad = false;
  const next = files.values();
  const worker = async () => {
    for (const path of next) {
      let line: string;
      try {
        const { sid, score, files: count, errors } = await client.analyze(path);
        line = [score, count, errors, sid, printable(path)].join('\t');
        if (limit !== undefined && score > limit) isBad = true;
      } catch (error) {
        if (!(error instanceof SubmissionRefused)) throw error;
        line = ['failed', '', '', printable(error.message), printable(path)].join('\t');
        isBad = true;
      }
      display.clear();
      context.print(line);
      done += 1;
      display.show('submit', done, files.length);
    }
  };
  try {
    display.show('submit', 0, files.length);
    await Promise.all(Array.from({ length: CONCURRENT }, worker));
    return isBad ? 1 : 0;
  } catch (error) {
    if (!context.ending.aborted) throw error;
    context.printError(`Interrupted (${String(context.ending.reason)}). The program completes what was submitted.`);
    return 1;
  } finally {
    display.end();
  }
}

/** Returns text that cannot break a line or a column. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?');
}

function clientOf(context: CommandContext, flags: FlagValues): SubmissionClient {
  return new SubmissionClient({
    ...connectionOf(context, flags),
    params: paramsOf(flags),
    profile: flags.profile?.[0],
    signal: context.ending,
  });
}

function paramsOf(flags: FlagValues): Readonly<Record<string, unknown>> {
  const [text = '{}'] = flags.params ?? [];
  try {
    const params: unknown = JSON.parse(text);
    if (typeof params === 'object' && params !== null && !Array.isArray(params)) return { ...params };
  } catch {}
  throw new WrongUse(`--params needs a JSON object such as {"priority": 500}.`);
}

function numberOf(flags: FlagValues, name: string): number | undefined {
  const text = flags[name]?.[0];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() === '' || Number.isNaN(number)) throw new WrongUse(`--${name} needs a number.`);
  return number;
}

/** Returns the files, and those in folders at any depth; links in folders are left out. */
async function filesIn(given: readonly string[]): Promise<readonly string[]> {
  const files: string[] = [];
  for (const path of given) {
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() === true) files.push(path);
    else if (found?.isDirectory() !== true) throw new WrongUse(`${path} is neither a file nor a folder.`);
    else {
      const entries = await readdir(path, { recursive: true, withFileTypes: true });
      files.push(...entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name)));
    }
  }
  if (files.length === 0) throw new WrongUse('There are no files in what was given.');
  return files;
}
