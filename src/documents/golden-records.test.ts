import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { isTriadError } from '../errors/errors.ts';
import { hitDocument } from './kinds/hit.ts';
import { readDocument } from './schema/read-document.ts';

/**
 * The recorded exchanges of the public system in which records are created: what it refuses, with
 * which words, and what it makes of the rest.
 */
interface Step {
  readonly request: { readonly method: string; readonly path: string; readonly body?: unknown };
  readonly response: { readonly status: number; readonly body?: { readonly api_response?: unknown } };
}

interface Outcome {
  readonly valid: readonly Record<string, unknown>[];
  readonly invalid: readonly { readonly input: Record<string, unknown>; readonly error: string }[];
}

const CONVERSATIONS = [
  'hit-create-minimal',
  'hit-create-shapes',
  'hit-create-bad-values',
  'hit-create-value-coercion',
  'hit-create-missing-analytic',
  'hit-create-unknown-fields',
  'hit-create-hash-and-data',
];

const classification = { unrestricted: 'UNRESTRICTED', normalise: (text: string) => text };

function stepsOf(name: string): Step[] {
  const file = new URL(`../../test/golden/alerts/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { steps: Step[] }).steps;
}

function read(record: Record<string, unknown>, unknown: 'refuse' | 'warn') {
  const hash = 'howler.hash' in record ? {} : { 'howler.hash': 'ab' };
  return readDocument(hitDocument, { ...record, ...hash }, { unknown, classification });
}

function refusalOf(record: Record<string, unknown>, unknown: 'refuse' | 'warn'): string {
  try {
    read(record, unknown);
  } catch (error) {
    if (isTriadError(error)) return error.message;
    throw error;
  }
  return 'accepted';
}

/** Placeholders of the recordings stand for any text. */
function fits(text: string, expected: string): boolean {
  const pattern = expected.split(/\{\{\w+(?::\w+)?\}\}/).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${pattern.join('.*')}$`, 's').test(text);
}

/** Sets what the creation itself sets, and blanks what the recordings leave open. */
function comparable(document: Record<string, unknown>): unknown {
  const copy = structuredClone(document) as { howler: Record<string, unknown>; event?: Record<string, unknown> };
  for (const name of ['id', 'hash', 'data']) delete copy.howler[name];
  for (const name of ['id', 'ingested', 'created']) delete copy.event?.[name];
  const { timestamp: _, event, ...rest } = copy as Record<string, unknown>;
  return { ...rest, event: event ?? {} };
}

describe('recorded creations of alerts', () => {
  for (const name of CONVERSATIONS) {
    for (const [index, { request, response }] of stepsOf(name).entries()) {
      const outcome = response.body?.api_response as Outcome | undefined;
      if (request.method !== 'POST' || !/\/hit(\?|$)/.test(request.path) || !Array.isArray(outcome?.valid)) continue;
      const unknown = /ignore_extra_values=true/i.test(request.path) ? 'warn' : 'refuse';
      it(`${name}, step ${index + 1}`, () => {
        for (const { input, error } of outcome.invalid) {
          if (error.startsWith('Classification') || error.startsWith('User ')) continue;
          const text = refusalOf(input, unknown);
          assert.ok(fits(text, error), `${text}\ninstead of\n${error}`);
        }
        if (response.status !== 201) return;
        for (const [at, record] of (request.body as Record<string, unknown>[]).entries()) {
          const { 'howler.data': _, ...rest } = record;
          const expected: Record<string, unknown> | undefined = outcome.valid[at];
          if (expected === undefined || 'howler' in rest || 'howler.assessment' in rest) continue;
          assert.deepEqual(comparable(read(rest, unknown).document), comparable(expected));
        }
      });
    }
  }
});
