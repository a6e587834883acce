import { loadConfig } from '../config/config.ts';
import { isTriadError, messageOf } from '../errors/errors.ts';
import type { ReindexOptions } from '../migrations/reindex/reindex.ts';
import { isReindexKind, REINDEX_KINDS, type ReindexKind } from '../migrations/reindex/reindex-context.ts';
import { type Command, type CommandContext, type ExitStatus, type FlagValues, WrongUse } from './command.ts';
import { OperatorDialogue, type Silence } from './operator-dialogue.ts';
import { createReindexReport, planLines, REINDEX_WARNING, resultLines } from './reindex-display.ts';

/** Seconds to think again after the warning. */
const COUNTDOWN = 5;
const NOTHING_CHANGED = 'Nothing was changed.';
const SILENCES: Readonly<Record<Silence, string>> = {
  quit: 'You left.',
  interrupted: 'Interrupted.',
  ended: 'The input ended.',
};

type Datastore = ReindexOptions['datastore'];
type Action = 'reindex' | 'cleanup' | 'drop-old';

/** One run of the command. */
interface Run {
  readonly context: CommandContext;
  readonly flags: FlagValues;
  readonly action: Action;
  /** Milliseconds between two looks at a running copy. */
  readonly pollEvery: number;
  open(): Promise<Datastore>;
}

/**
 * `triad reindex`. With `--yes` it asks nothing; without, a person at a terminal is asked.
 * Exit status: 0 done, or nothing was left to do; 1 anything failed, or the person said no; 2 wrong use. Specification:
 * "Migration runner", "Versioning".
 */
export const reindexCommand: Command = {
  name: 'reindex',
  usage: '',
  instead: ' Use --index.',
  summary: 'Bring an index to the mapping of version 3.0.0: view, analytic or hit. Asks, unless --yes.',
  flags: {
    index: { value: 'required', description: 'view, analytic or hit; may be repeated', multiple: true },
    yes: { value: 'none', description: 'ask nothing; needs --index' },
    'allow-failures': { value: 'none', description: 'leave documents behind that the new mapping refuses' },
    'allow-low-space': { value: 'none', description: 'go on with less free space than 2 times the size of the data' },
    cleanup: { value: 'none', description: 'undo what an interrupted run left, instead of reindexing' },
    'drop-old': { value: 'none', description: 'delete the old indices that were kept, instead of reindexing' },
  },
  async run(context, flags) {
    const action = readAction(flags);
    const kinds = readKinds(flags);
    if (flags.yes === undefined && !context.interactive) {
      throw new WrongUse('There is no terminal to ask at. Give --index view, analytic or hit, and --yes.');
    }
    if (flags.yes !== undefined && kinds.length === 0) throw new WrongUse('--yes needs --index view, analytic or hit.');
    const config = loadConfig({ environment: context.environment });
    const pollEvery = config.datastore.task_poll_interval * 1000;
    const open = async (): Promise<Datastore> => {
      const { openDatastore } = await import('../composition/open-adapters.ts');
      // The log goes to standard output, which belongs to the table; errors are thrown and reported.
      return openDatastore(config, { logger: context.createLogger('CRITICAL', config.logging.log_as_json) });
    };
    const run = { context, flags, action, pollEvery, open };
    try {
      return flags.yes === undefined ? await runAsking(run, kinds) : await runAll(run, kinds);
    } catch (error) {
      if (isTriadError(error) && (error.code === 'unknown_setting' || error.code === 'invalid_setting')) throw error;
      context.printError(`ERROR: ${reasonOf(error, context.ending)}`);
      return 1;
    }
  },
};

/** @throws WrongUse */
function readAction(flags: FlagValues): Action {
  if (flags.cleanup !== undefined && flags['drop-old'] !== undefined) {
    throw new WrongUse('--cleanup undoes and --drop-old finishes: give one of them.');
  }
  if (flags.cleanup !== undefined) return 'cleanup';
  return flags['drop-old'] === undefined ? 'reindex' : 'drop-old';
}

/** In the order of REINDEX_KINDS. @throws WrongUse */
function readKinds(flags: FlagValues): readonly ReindexKind[] {
  const given = flags.index ?? [];
  const unknown = given.find((kind) => !isReindexKind(kind));
  if (unknown !== undefined) {
    throw new WrongUse(`--index ${unknown || '""'} is not known. Allowed: ${REINDEX_KINDS.join(', ')}.`);
  }
  return REINDEX_KINDS.filter((kind) => given.includes(kind));
}

async function runAll(run: Run, kinds: readonly ReindexKind[]): Promise<ExitStatus> {
  const datastore = await run.open();
  try {
    for (const kind of kinds) {
      if (run.action === 'reindex' && !(await showPlan(run, datastore, kind))) return 1;
      await perform(run, datastore, kind);
    }
    return 0;
  } finally {
    await datastore.close();
  }
}

async function runAsking(run: Run, kinds: readonly ReindexKind[]): Promise<ExitStatus> {
  const { context, action } = run;
  const dialogue = new OperatorDialogue(context);
  let datastore: Datastore | undefined;
  try {
    for (const line of REINDEX_WARNING) context.printError(line);
    const stopped = await dialogue.countDown(COUNTDOWN);
    if (stopped) return left(context, SILENCES[stopped.silence]);
    const first = await dialogue.ask('Go on? [yes/NO, q leaves]');
    if (!isYes(first)) return left(context, refusal(first));
    const kind = await chooseKind(dialogue, kinds);
    if (typeof kind !== 'string') return left(context, kind.why);
    datastore = await run.open();
    if (action === 'reindex' && !(await showPlan(run, datastore, kind))) return 1;
    const last = await dialogue.ask(`${QUESTIONS[action](kind)} [yes/NO, q leaves]`);
    if (!isYes(last)) return left(context, refusal(last));
    await perform(run, datastore, kind);
    return 0;
  } finally {
    dialogue.close();
    await datastore?.close();
  }
}

const QUESTIONS: Readonly<Record<Action, (kind: ReindexKind) => string>> = {
  reindex: (kind) => `Reindex the indices of ${kind} that are listed?`,
  cleanup: (kind) => `Undo what an interrupted reindex of ${kind} left?`,
  'drop-old': (kind) => `Delete the old indices of ${kind} for good?`,
};

async function chooseKind(
  dialogue: OperatorDialogue,
  kinds: readonly ReindexKind[],
): Promise<ReindexKind | { readonly why: string }> {
  const [only] = kinds;
  if (only !== undefined && kinds.length === 1) return only;
  const choices = kinds.length === 0 ? REINDEX_KINDS : kinds;
  const chosen = await dialogue.ask(`Which index? ${choices.join(', ')} [q leaves]`);
  const kind = 'answer' in chosen ? choices.find((choice) => choice === chosen.answer) : undefined;
  if (kind !== undefined) return kind;
  return { why: 'answer' in chosen ? `"${chosen.answer}" is none of ${choices.join(', ')}.` : refusal(chosen) };
}

/** Returns true when the run may continue. */
async function showPlan({ context, flags }: Run, datastore: Datastore, kind: ReindexKind): Promise<boolean> {
  const { printError } = context;
  const { planReindex, lacksRoom } = await import('../migrations/reindex/index-states.ts');
  const plan = await planReindex(datastore.admin, kind);
  for (const line of planLines(plan)) printError(line);
  if (!lacksRoom(plan)) return true;
  if (flags['allow-low-space'] !== undefined) {
    printError('WARNING: there is less free space than that.');
    return true;
  }
  printError(`ERROR: there is too little free space. ${NOTHING_CHANGED} Free some, or go on with --allow-low-space.`);
  return false;
}

async function perform(
  { context, flags, action, pollEvery }: Run,
  datastore: Datastore,
  kind: ReindexKind,
): Promise<void> {
  const { report, stop } = await createReindexReport(context);
  const options: ReindexOptions = {
    datastore,
    kind,
    report,
    signal: context.ending,
    allowFailures: flags['allow-failures'] !== undefined,
    times: { pollEvery },
  };
  try {
    for (const line of await ACTIONS[action](options)) {
      stop();
      context.print(line);
    }
  } finally {
    stop();
  }
}

const ACTIONS: Readonly<Record<Action, (options: ReindexOptions) => Promise<readonly string[]>>> = {
  async reindex(options) {
    const { reindex } = await import('../migrations/reindex/reindex.ts');
    return resultLines(options.kind, await reindex(options));
  },
  async cleanup(options) {
    const { cleanUpReindex } = await import('../migrations/reindex/reindex-cleanup.ts');
    const done = await cleanUpReindex(options);
    return done.length === 0 ? [`Nothing was left to undo for ${options.kind}.`] : done;
  },
  async 'drop-old'(options) {
    const { dropKeptIndices } = await import('../migrations/reindex/reindex-cleanup.ts');
    return (await dropKeptIndices(options)).map((name) => `${name} was deleted.`);
  },
};

function isYes(given: { readonly answer: string } | { readonly silence: Silence }): boolean {
  return 'answer' in given && /^y(?:es)?$/i.test(given.answer);
}

function refusal(given: { readonly answer: string } | { readonly silence: Silence }): string {
  return 'answer' in given ? `"${given.answer}" is not yes.` : SILENCES[given.silence];
}

/** Status 1: what was ordered was not done, which a script has to notice. */
function left({ printError }: CommandContext, why: string): ExitStatus {
  printError(`${why} ${NOTHING_CHANGED}`);
  return 1;
}

function reasonOf(error: unknown, ending: AbortSignal): string {
  if (ending.aborted && (error === ending.reason || (error instanceof Error && error.name === 'AbortError'))) {
    return 'Interrupted. The index that was being copied is as it was before; start again when you want to go on.';
  }
  return messageOf(error);
}
