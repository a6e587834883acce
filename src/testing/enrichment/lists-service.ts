import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { updateList } from '../../enrichment/lists/updating/update-list.ts';
import type { ListState } from '../../enrichment/sources/own-source.ts';
import { openEnrichment } from '../open-enrichment.ts';
import { NEVER_ABORTED } from './never-aborted.ts';
import { listFolder } from './open-lists.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type Answer = any;

/** The settings of a list. */
interface GivenList {
  readonly name: string;
  /** Written into a file and compiled before the service opens. */
  readonly content?: string;
  readonly [setting: string]: unknown;
}

/** For tests: opens the service with lists as its only source. */
export async function openListsService(
  context: TestContext,
  given: readonly GivenList[],
  { folder = listFolder(context) }: { readonly folder?: ReturnType<typeof listFolder> } = {},
) {
  const lists = given.map(({ content, ...list }) =>
    content === undefined ? list : { ...list, path: folder.write(list.name, content) },
  );
  for (const list of folder.configured(lists.filter((_, index) => given[index]?.content !== undefined))) {
    const outcome = await updateList(list, { signal: NEVER_ABORTED });
    assert.equal(outcome.kind, 'updated', JSON.stringify(outcome));
  }
  const service = await openEnrichment(context, {
    ...{ data_folder: folder.pathOf('data'), 'enrichment.own_sources': 'lists', 'enrichment.lists': lists },
  });
  const { app } = service;
  return {
    ...service,
    async ask(clearance: string, selectors: readonly (readonly [string, string])[], query = ''): Promise<Answer> {
      const answer = await app.inject({
        method: 'POST',
        url: `/api/v1/lookup/enrich?${query}`,
        headers: headersFor(clearance),
        payload: selectors.map(([type, value]) => ({ type, value })),
      });
      assert.equal(answer.statusCode, 200, answer.body);
      return answer.json().api_response;
    },
    async statesFor(clearance: string): Promise<readonly ListState[]> {
      const answer = await app.inject({ url: '/api/v1/sources', headers: headersFor(clearance) });
      return answer.json().api_response[0].lists;
    },
  };
}

/** Returns the headers of a program that calls for a user with a clearance. */
export function headersFor(clearance: string): Record<string, string> {
  const basic = Buffer.from('robot:robot-secret').toString('base64');
  return { authorization: `Basic ${basic}`, 'x-userid': 'ada', 'x-classification': clearance };
}

/** Returns a STIX indicator of a domain with a validity. */
export function indicatorOf([domain, validity]: readonly [string, object]): object {
  return {
    ...{ type: 'indicator', spec_version: '2.1', id: 'indicator--1c1e0d5c-0b0e-4a3c-9b0f-4f3d2f1e0a02' },
    ...{ created: '2026-01-01T00:00:00.000Z', modified: '2026-01-01T00:00:00.000Z' },
    ...{ pattern: `[domain-name:value = '${domain}']`, pattern_type: 'stix' },
    ...validity,
  };
}
