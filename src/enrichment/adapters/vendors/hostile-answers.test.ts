import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { PLAYED_ENGINE, type PlayedCase, readPlayedAnswers } from '../../../testing/enrichment/played-adapter.ts';
import { describeProblems } from '../../models/model-reading.ts';
import { readBulkEntry, type SentResult } from '../../models/query-result.ts';
import type { SourceCall } from '../../sources/source-client.ts';
import { SourceFailure } from '../../sources/source-failure.ts';
import type { Adapter, Vendor } from '../adapter.ts';
import { itemOf } from '../finding.ts';
import { ADAPTERS } from './adapter-list.ts';

type Json = Readonly<Record<string, unknown>> | readonly unknown[] | string | number | boolean | null;
type Place = readonly (string | number)[];

const VENDOR_URL = 'https://vendor.example';
const OTHERS: readonly Json[] = [null, true, -7.5, 'x', '', [], [null], {}, { toString: 1 }, '__proto__'];
const CALL: SourceCall = {
  signal: new AbortController().signal,
  deadline: Number.MAX_SAFE_INTEGER,
  caller: { username: 'goose', classification: '' },
};

for (const adapter of ADAPTERS.filter(({ url }) => url !== 'dns:')) {
  const { cases } = readPlayedAnswers(adapter.name);
  const played = Object.entries(cases).filter((entry): entry is [string, PlayedCase] => typeof entry[1] === 'object');

  describe(`adapter ${adapter.name} and hostile answers`, () => {
    it('reads a field of another type as absent, or as an unusable answer, and never as harmless', async () => {
      for (const [name, one] of played) {
        const { exchanges, expect } = one;
        for (const [index, { answer }] of exchanges.entries()) {
          for (const place of placesOf(answer.body as Json)) {
            for (const other of OTHERS) {
              if (typeof other === typeof at(answer.body, place)) continue;
              const result = await readingOf(adapter, one, (body, asked) =>
                asked === index ? replaced(body, place, other) : body,
              );
              const opinions = opinionsOf(result);
              const isBad = expect?.opinion === 'malicious' || expect?.opinion === 'suspicious';
              assert.ok(!isBad || !opinions.includes('benign'), `${name} ${place.join('.')} ${JSON.stringify(other)}`);
            }
          }
        }
      }
    });

    it('throws nothing but a failure for any JSON', async () => {
      const [, sample] = played[0] as [string, PlayedCase];
      await fc.assert(
        fc.asyncProperty(fc.jsonValue(), async (json) => void (await readingOf(adapter, sample, () => json as Json))),
        { numRuns: 100 },
      );
      const mutation = fc.tuple(fc.nat(), fc.nat(), fc.jsonValue());
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...played),
          fc.array(mutation, { minLength: 1, maxLength: 4 }),
          async ([, one], mutations) => {
            await readingOf(adapter, one, (body) =>
              mutations.reduce((changed, [, where, json]) => {
                const places = [...placesOf(changed)];
                return replaced(changed, places[where % places.length] ?? [], json as Json);
              }, body),
            );
          },
        ),
        { numRuns: 200 },
      );
    });

    it('is not held up by millions of entries', async () => {
      const [, sample] = played[0] as [string, PlayedCase];
      const many = Array.from({ length: 1_000_000 }, () => 'x');
      const began = process.cpuUsage();
      for (const place of placesOf((sample.exchanges.at(-1)?.answer.body ?? null) as Json)) {
        if (!Array.isArray(at(sample.exchanges.at(-1)?.answer.body, place))) continue;
        const last = sample.exchanges.length - 1;
        await readingOf(adapter, sample, (body, asked) => (asked === last ? replaced(body, place, many) : body));
      }
      const { user, system } = process.cpuUsage(began);
      assert.ok(user + system < 5_000_000, `${user + system} µs`);
    });
  });
}

/** Returns the entry of a value as the service reads it; undefined for a failure. */
async function readingOf(
  adapter: Adapter,
  { type, value, exchanges }: PlayedCase,
  change: (body: Json, asked: number) => Json,
): Promise<SentResult | undefined> {
  let asked = 0;
  const vendor: Vendor = {
    url: VENDOR_URL,
    limit: 10,
    servers: [],
    call: CALL,
    async send() {
      const index = asked++ % exchanges.length;
      return change(exchanges[index]?.answer.body as Json, index);
    },
  };
  const selector = { type, value: value.toLowerCase() };
  try {
    const found = await adapter.lookup([selector], vendor);
    const context = {
      title: adapter.title,
      icon: adapter.icon,
      noAnnotation: false,
      includeRaw: true,
      classificationOf: () => PLAYED_ENGINE.unrestricted,
    };
    const items = (found.get(selector) ?? []).flatMap((finding) => itemOf(finding, context) ?? []);
    const reading = readBulkEntry({ items }, { engine: PLAYED_ENGINE });
    if ('problems' in reading) assert.fail(describeProblems(reading.problems));
    return reading.ok;
  } catch (error) {
    if (error instanceof SourceFailure) return undefined;
    throw error;
  }
}

function opinionsOf(result: SentResult | undefined): readonly unknown[] {
  return (result?.items ?? []).flatMap((item) =>
    Array.isArray(item.annotations)
      ? item.annotations.filter(({ type }) => type === 'opinion').map((annotation) => annotation.value)
      : [],
  );
}

/** Returns the places of all values in a JSON value. */
function* placesOf(value: Json, place: Place = []): Generator<Place> {
  yield place;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, one] of Object.entries(value)) {
    yield* placesOf(one as Json, [...place, Array.isArray(value) ? Number(name) : name]);
  }
}

function at(value: unknown, [name, ...rest]: Place): unknown {
  if (name === undefined) return value;
  return at((value as Readonly<Record<string, unknown>>)[name], rest);
}

function replaced(value: Json, [name, ...rest]: Place, other: Json): Json {
  if (name === undefined) return other;
  if (Array.isArray(value)) return value.map((one, index) => (index === name ? replaced(one, rest, other) : one));
  const entries = Object.entries(value as Readonly<Record<string, Json>>);
  return Object.fromEntries(entries.map(([key, one]) => [key, key === name ? replaced(one, rest, other) : one]));
}
