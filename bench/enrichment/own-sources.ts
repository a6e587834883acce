import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnProgram } from '../../src/testing/spawn-program.ts';
import { benchAlert } from '../alert-documents.ts';
import { CREDENTIALS } from '../alert-requests.ts';
import { type Send, sender } from '../http-load.ts';
import { load, type Say } from '../load.ts';
import type { Figure } from '../report.ts';
import { bulkPath, oneByOne, rateOf } from './lookups.ts';

const ALERTS = 100_000;
const LISTS = 10;
/** Values of each list. */
const ENTRIES = 20_000;
/** Milliseconds until lists that the program found at its start are compiled. */
const COMPILATION = 120_000;

/** Figures of the sources of the program: `facts`, `lists` and `alerts`. */
export async function measureOwnSources(seconds: number, say: Say): Promise<readonly Figure[]> {
  const now = Date.now();
  const folder = mkdtempSync(join(tmpdir(), 'triad-bench-lists-'));
  const lists = Array.from({ length: LISTS }, (_, number) => {
    const path = join(folder, `list-${number}.txt`);
    writeFileSync(path, listText(number));
    return { name: `list-${number}`, format: 'text', path };
  });
  const environment = { SVC_UI_AUDIT: 'false', SVC_ENRICHMENT_LISTS: JSON.stringify(lists) };
  const program = await spawnProgram({ flags: ['--demo=users'], environment });
  const target = { base: program.addresses.enrichment ?? '', headers: CREDENTIALS };
  const { send, close } = sender(target, 1);
  try {
    say('lists are compiled');
    await untilKnown(send);
    say('single lookups at a source in process');
    const path = '/api/v1/lookup/enrich/ipv4/192.0.2.7/?sources=facts';
    const single = await rateOf(target, 8, seconds, { method: 'GET', path });
    say(`${ALERTS.toLocaleString('en')} alerts are stored`);
    await load({ base: program.alerts, headers: CREDENTIALS }, 0, ALERTS, now, say);
    const sources = ['facts', 'lists', 'alerts'];
    await checkAlerts(send, now);
    const all = await oneByOne(200, 20, (run) => send('POST', bulkPath(sources), valuesOf(run, now)));
    return [
      { name: 'single, source in process, 8 connections', value: single, unit: 'requests/s', goal: 6000 },
      { name: 'bulk, 100 selectors, facts, 10 lists, 100,000 alerts: p50', value: all.p50, unit: 'ms', goal: 60 },
    ];
  } finally {
    close();
    await program.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Values of alerts, so that every list holds some that are looked up. */
function listText(number: number): string {
  const values = Array.from({ length: ENTRIES }, (_, index) => {
    const { destination, file } = benchAlert(index * LISTS + number, 0) as unknown as AlertValues;
    return index % 2 === 0 ? destination.ip : file.hash.sha256;
  });
  return `${values.join('\n')}\n`;
}

interface AlertValues {
  readonly source: { readonly ip: string };
  readonly destination: { readonly ip: string; readonly domain: string };
  readonly file: { readonly hash: { readonly sha256: string } };
}

/** Body of a bulk lookup of 100 values that alerts hold. */
function valuesOf(run: number, now: number): string {
  const selectors = Array.from({ length: 25 }, (_, index) => {
    const { source, destination, file } = benchAlert((run * 25 + index) * 7, now) as unknown as AlertValues;
    return [
      { type: 'ipv4', value: source.ip },
      { type: 'ipv4', value: destination.ip },
      { type: 'domain', value: destination.domain },
      { type: 'sha256', value: file.hash.sha256 },
    ];
  });
  return JSON.stringify(selectors.flat());
}

/** Waits until the last list answers. */
async function untilKnown(send: Send): Promise<void> {
  const { destination } = benchAlert(LISTS - 1, 0) as unknown as AlertValues;
  const question = JSON.stringify([{ type: 'ipv4', value: destination.ip }]);
  const end = performance.now() + COMPILATION;
  for (;;) {
    const { body } = await send('POST', bulkPath(['lists']), question);
    if (body.includes('"annotations":[{')) return;
    if (performance.now() > end) throw new Error(`the lists are not known: ${body.slice(0, 500)}`);
    await sleep(500);
  }
}

/** Throws unless every value of a lookup has an answer of the alerts. */
async function checkAlerts(send: Send, now: number): Promise<void> {
  const { body } = await send('POST', bulkPath(['alerts'], 30), valuesOf(1, now));
  const { api_response: found } = JSON.parse(body) as {
    api_response: Record<string, Record<string, { alerts?: { items: readonly unknown[] } }>>;
  };
  const missing = Object.values(found).flatMap((values) =>
    Object.entries(values).flatMap(([value, { alerts }]) => (alerts?.items.length === 1 ? [] : [value])),
  );
  if (missing.length > 0) throw new Error(`alerts do not know ${missing.length} values, such as ${missing[0]}`);
}
