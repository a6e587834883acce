import { loadConfig } from '../config/config.ts';
import { isTriadError, messageOf } from '../errors/errors.ts';
import type { ReindexOptions } from '../migrations/reindex/reindex.ts';
import { REINDEX_KINDS, type ReindexKind } from '../migrations/reindex/reindex-context.ts';
import { type Command, type CommandContext, type ExitStatus, type FlagValues, WrongUse } from './command.ts';
import { DialogueEnded, OperatorDialogue } from './operator-dialogue.ts';
import { createProgressDisplay } from './progress-display.ts';
import { planLines, REINDEX_WARNING, resultLines } from './reindex-display.ts';

/** Seconds to think again after the warning. */
const COUNTDOWN = 5;
const NOTHING_CHANGED = 'Nothing was changed.';

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
 * `triad reindex` (spec "Migration runner", "Versioning"). Asks a person, unless `--yes`.
 * Exit status: 0 done, or nothing was left to do; 1 anything failed, or the person said no; 2 wrong use.
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
  const unknown = given.find((kind) => !REINDEX_KINDS.some((known) => known === kind));
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
    await dialogue.countDown(COUNTDOWN);
    await dialogue.confirm('Go on?');
    const kind = kinds[0] !== undefined && kinds.length === 1 ? kinds[0] : await chooseKind(dialogue, kinds);
    datastore = await run.open();
    if (action === 'reindex' && !(await showPlan(run, datastore, kind))) return 1;
    await dialogue.confirm(QUESTIONS[action](kind));
    await perform(run, datastore, kind);
    return 0;
  } catch (error) {
    if (!(error instanceof DialogueEnded)) throw error;
    context.printError(`${error.message} ${NOTHING_CHANGED}`);
    // What was ordered was not done, which a script has to notice.
    return 1;
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

async function chooseKind(dialogue: OperatorDialogue, kinds: readonly ReindexKind[]): Promise<ReindexKind> {
  const choices = kinds.length === 0 ? REINDEX_KINDS : kinds;
  const answer = await dialogue.ask(`Which index? ${choices.join(', ')} [q leaves]`);
  const kind = choices.find((choice) => choice === answer);
  if (kind === undefined) throw new DialogueEnded(`"${answer}" is none of ${choices.join(', ')}.`);
  return kind;
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

async function perform(run: Run, datastore: Datastore, kind: ReindexKind): Promise<void> {
  const { context, flags, action, pollEvery } = run;
  const progress = await createProgressDisplay(context);
  const note = (message: string) => {
    progress.end();
    context.printError(message);
  };
  const options: ReindexOptions = {
    datastore,
    kind,
    report: { note, progress: progress.show },
    signal: context.ending,
    allowFailures: flags['allow-failures'] !== undefined,
    times: { pollEvery },
  };
  try {
    const lines = await ACTIONS[action](options);
    progress.end();
    for (const line of lines) context.print(line);
  } finally {
    progress.end();
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

function reasonOf(error: unknown, ending: AbortSignal): string {
  if (ending.aborted && (error === ending.reason || (error instanceof Error && error.name === 'AbortError'))) {
    return 'Interrupted. The index that was being copied is as it was before; start again when you want to go on.';
  }
  return messageOf(error);
}
