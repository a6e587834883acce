import { loadConfig } from '../../config/config.ts';
import type { ConfiguredList } from '../../enrichment/lists/configured-lists.ts';
import { type Command, type CommandContext, type ExitStatus, WrongUse } from '../command.ts';
import { createProgressDisplay } from '../progress-display.ts';
import { alignColumns, count, size } from '../text-format.ts';

/** Milliseconds between two lines of progress. */
const LINE_INTERVAL = 5000;

/** Commands for the lists of the enrichment service. They may run while the program does. */
export const LIST_COMMANDS: readonly Command[] = [
  {
    name: 'lists update',
    usage: '[NAME]',
    summary: 'Update a list of enrichment.lists, or all, on this machine. An interrupted update leaves the old list.',
    flags: { force: { value: 'none', description: 'read them also when they did not change' } },
    run: (context, flags, name) => updateLists(context, name, flags.force !== undefined),
  },
  {
    name: 'lists',
    usage: '',
    summary: 'Show the lists of enrichment.lists as they are on this machine.',
    flags: {},
    run: showLists,
  },
];

async function showLists(context: CommandContext): Promise<ExitStatus> {
  const lists = await configuredLists(context);
  const [{ OpenLists }, { sum }] = await Promise.all([
    import('../../enrichment/lists/open-lists.ts'),
    import('../../enrichment/lists/compiled/list-file.ts'),
  ]);
  const open = new OpenLists(lists, { warn: (_entry, message) => context.printError(`WARNING: ${message}`) });
  const rows = lists.map((list) => {
    const { compiled, state, freshAt, isExpired } = open.of(list);
    const { name, format } = list.settings;
    const entries = compiled === undefined ? '' : count(sum(compiled.summary.tables));
    const leftOut = compiled === undefined ? '' : count(sum(compiled.summary.leftOut));
    const problem = state.problem && `failed: ${state.problem.place}: ${state.problem.reason}`;
    const condition = compiled === undefined ? 'missing' : isExpired ? 'expired' : 'ready';
    return [name, format, entries, leftOut, ageOf(freshAt), [condition, problem ?? []].flat().join(', ')];
  });
  open.close();
  for (const line of alignColumns([['LIST', 'FORMAT', 'ENTRIES', 'LEFT OUT', 'AGE', 'STATE'], ...rows])) {
    context.print(line);
  }
  return 0;
}

async function updateLists(context: CommandContext, name: string, force: boolean): Promise<ExitStatus> {
  const lists = await configuredLists(context);
  const chosen = name === '' ? lists : lists.filter(({ settings }) => settings.name === name);
  if (name !== '' && chosen.length === 0) {
    const names = lists.map(({ settings }) => settings.name).join(', ') || 'none; enrichment.lists is empty';
    throw new WrongUse(`No list is called "${name}". Allowed: ${names}.`);
  }
  const { updateList } = await import('../../enrichment/lists/updating/update-list.ts');
  const display = await createProgressDisplay(context, 'bytes');
  let failed = 0;
  let told = performance.now();
  // Pages, events and packed answers have no total, of which a bar could show a part.
  const tellSize = (label: string, done: number) => {
    if (done === 0 || performance.now() - told < LINE_INTERVAL) return;
    told = performance.now();
    context.printError(`${label}: ${size(done)} read`);
  };
  try {
    for (const list of chosen) {
      const label = list.settings.name;
      const outcome = await updateList(list, {
        signal: context.ending,
        force,
        progress: (step, done, total) => {
          if (step === 'reading' && total !== undefined) display.show(label, done, total);
          else tellSize(label, done);
        },
      });
      display.end();
      if (outcome.kind === 'failed') failed += 1;
      switch (outcome.kind) {
        case 'updated':
          context.print(`${label}: ${count(outcome.entries)} entries, ${count(outcome.leftOut)} left out.`);
          break;
        case 'unchanged':
          context.print(`${label}: unchanged.`);
          break;
        case 'busy':
          context.print(`${label}: another process updates it.`);
          break;
        case 'failed':
          context.printError(`ERROR: ${label}: ${outcome.place}: ${outcome.reason}. The old list stays.`);
      }
    }
    return failed === 0 ? 0 : 1;
  } catch (error) {
    if (!context.ending.aborted) throw error;
    context.printError(`Interrupted (${String(context.ending.reason)}). The old list stays; run it again.`);
    return 1;
  } finally {
    display.end();
  }
}

async function configuredLists({ environment }: CommandContext): Promise<readonly ConfiguredList[]> {
  const { readLists } = await import('../../enrichment/lists/configured-lists.ts');
  return readLists(loadConfig({ environment }), undefined);
}

/** Returns an age in its largest unit: `3 h`. */
function ageOf(time: number | undefined): string {
  if (time === undefined) return '';
  const minutes = Math.floor((Date.now() - time) / 60_000);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 2880 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} days`;
}
