import { writeFileSync } from 'node:fs';
import { readArguments } from '../scripts/script-arguments.ts';
import { spawnProgram } from '../src/testing/spawn-program.ts';
import { CREDENTIALS } from './alert-requests.ts';
import { sender } from './http-load.ts';
import { load } from './load.ts';
import { type Figure, GOAL_MISSED, reached, table } from './report.ts';
import { measureBuilding } from './web/building.ts';
import { serveHowler } from './web/howler.ts';
import { measureLoading } from './web/loading.ts';
import { measureLookUp } from './web/look-up.ts';
import { launchChromium, signIn } from './web/pages.ts';
import { measureScrolling } from './web/scrolling.ts';
import { measureSizes } from './web/sizes.ts';
import { measureTogether } from './web/together.ts';
import { measureWalk } from './web/walk.ts';

const HELP = `npm run bench:web -- [--alerts 100000] [--rounds 20] [--opened 1000] [--only NAME] [--out FILE.json]

Starts the program on an empty folder, loads alerts, and measures the web interface in Chromium on the same machine.
Prints a table; exit status 3 when a goal was missed. HOWLER_UI_FOLDER=… names a built howler-ui, which is measured beside it.
  --alerts N   alerts to load
  --rounds N   runs of which a median is taken
  --opened N   alerts that are opened one after the other
  --only NAME  measures a part alone: sizes, loading, walk, scrolling, together, lookup or building
  --out FILE   writes the figures as JSON as well`;
const { values: flags } = readArguments(HELP, {
  alerts: { type: 'string', default: '100000' },
  rounds: { type: 'string', default: '20' },
  opened: { type: 'string', default: '1000' },
  only: { type: 'string' },
  out: { type: 'string' },
});
const ROUNDS = Number(flags.rounds);

function say(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}

const program = await spawnProgram({ flags: ['--demo=users'], environment: { SVC_UI_AUDIT: 'false' } });
const browser = await launchChromium();
const { send, close } = sender({ base: program.alerts, headers: CREDENTIALS }, 2);
const base = program.addresses.web ?? '';
const figures: Figure[] = [];
const failed: string[] = [];
try {
  say(`${Number(flags.alerts).toLocaleString('en')} alerts are stored`);
  await load({ base: program.alerts, headers: CREDENTIALS }, 0, Number(flags.alerts), Date.now(), say);
  const visitor = await signIn(base, 'admin');
  const colleague = await signIn(base, 'user');
  const folder = process.env.HOWLER_UI_FOLDER;
  const howler = folder === undefined ? undefined : await serveHowler(folder, program.alerts, 'admin');
  const options = { browser, visitor, rounds: ROUNDS, say };
  const parts: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
    sizes: async () => measureSizes(howler?.scripts),
    loading: () => measureLoading({ ...options, howler }),
    walk: () => measureWalk({ ...options, opened: Number(flags.opened) }),
    scrolling: () => measureScrolling(options),
    together: () => measureTogether({ ...options, colleague, send }),
    lookup: () => measureLookUp(options),
    building: async () => measureBuilding(ROUNDS, say),
  };
  if (flags.only !== undefined && parts[flags.only] === undefined) {
    console.error(`--only takes ${Object.keys(parts).join(', ')}, not "${flags.only}"`);
    process.exit(2);
  }
  for (const [name, measure] of Object.entries(parts)) {
    if (flags.only !== undefined && flags.only !== name) continue;
    const found = await measure().catch((error: unknown) => {
      say(`  ${name} could not be measured: ${String(error)}`);
      failed.push(name);
      return [];
    });
    for (const { name: row, value, unit } of found) say(`  ${row}: ${value.toFixed(1)} ${unit}`);
    figures.push(...found);
  }
  howler?.close();
} finally {
  close();
  await browser.close();
  await program.stop();
}
console.log(table(figures, 'howler-ui'));
if (failed.length > 0) console.error(`Not measured: ${failed.join(', ')}.`);
if (flags.out !== undefined) writeFileSync(flags.out, `${JSON.stringify(figures, null, 2)}\n`);
const missed = figures.filter((figure) => !reached(figure));
console.log(`\n${figures.length - missed.length} of ${figures.length} goals reached`);
process.exitCode = failed.length > 0 ? 1 : missed.length === 0 ? 0 : GOAL_MISSED;
