import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { SEARCH_INDEXES } from '../src/analysis/search/search-indexes.ts';
import type { ListedRoute } from '../src/http/route-list.ts';
import { type AnalysisTestProgram, startAnalysisTestProgram } from '../src/testing/analysis/analysis-program.ts';
import { enforcedClassification as engine } from '../src/testing/analysis/enforced-classification.ts';
import {
  aMarking,
  type ClassifiedRecords,
  countsHidden,
  LEVELS,
  type Marker,
  saveClassifiedRecords,
  USERS,
} from './classified-records.ts';
import { exampleOf, partsOf, propertiesOf } from './route-examples.ts';
import { shownContent } from './shown-content.ts';

/**
 * Reads records with random markings as users of three clearances, through every route of the program.
 * No answer holds a marker that the user may not see, and no score or count in it counts one. More runs:
 * CLASSIFICATION_RUNS=100.
 */
const RUNS = Number(process.env.CLASSIFICATION_RUNS ?? 6);
const SECRET = 'secret';
type UserName = keyof typeof USERS;

/** Routes that are not called, by the start of method and path, with the reason. */
const NOT_CALLED: readonly (readonly [start: string, reason: string])[] = [
  ['PUT ', 'changes something, and answers what the caller sent or that it is done'],
  ['DELETE ', 'changes something, and answers that it is done'],
  ['POST /api/v4/alert/', 'changes alerts, and answers that it is done'],
  ['POST /api/v4/auth/', 'is about accounts'],
  ['POST /api/v4/badlist/', 'changes the list, and answers what the caller sent'],
  ['POST /api/v4/bundle/', 'stores what the caller sends'],
  ['POST /api/v4/ingest/', 'stores what the caller sends'],
  ['POST /api/v4/safelist/', 'changes the list, and answers what the caller sent'],
  ['POST /api/v4/service/', 'changes services, and answers that it is done'],
  ['POST /api/v4/signature/', 'changes signatures, and answers that it is done'],
  ['POST /api/v4/submit/', 'stores what the caller sends'],
  ['POST /api/v4/system/', 'changes texts of the installation'],
  ['POST /api/v4/ui/', 'stores what the caller sends'],
  ['POST /api/v4/user/', 'is about accounts'],
  ['POST /api/v4/webauthn/', 'is about accounts'],
  ['POST /api/v4/workflow/', 'changes workflows, and answers that it is done'],
  ['GET /api/v4/alert/ownership/', 'changes alerts, and answers that it is done'],
  ['GET /api/v4/apikey/', 'is about accounts'],
  ['GET /api/v4/auth/', 'is about accounts'],
  ['GET /api/v4/error/list/', 'is for administrators: errors have no classification'],
  ['GET /api/v4/federated_lookup/enrich/', 'asks other systems with the clearance of the caller'],
  ['GET /api/v4/ingest/get_message', 'gives out the messages of a queue, by its name'],
  [
    'GET /api/v4/live/get_message',
    'gives out the messages of a queue, whose name only a reader of its submission gets',
  ],
  ['GET /api/v4/service/backup/', 'is for administrators: every service, to be restored'],
  ['GET /api/v4/service/<servicename>/', 'is for administrators, who manage the services of every classification'],
  ['GET /api/v4/signature/change_status/', 'changes signatures, and answers that it is done'],
  ['GET /api/v4/signature/clear_status/', 'changes signatures, and answers that it is done'],
  ['GET /api/v4/signature/sources/', 'is about services, not about what they find'],
  ['GET /api/v4/submit/', 'stores a submission, and answers it'],
  ['GET /api/v4/system/', 'is about the installation'],
  ['GET /api/v4/ui/', 'is about parts of an upload'],
  ['GET /api/v4/user/', 'is about accounts'],
  ['GET /api/v4/webauthn/', 'is about accounts'],
  ['GET /api/v4/workflow/<workflow_id>/run/', 'changes alerts, and answers that it is done'],
];

/** Indexes that are not searched, with the reason. */
const NOT_SEARCHED: Readonly<Record<string, string>> = {
  error: 'is for administrators: errors have no classification',
};

/** Query strings that make a route show the most, by the start of method and path. Default: none. */
const VARIANTS: readonly (readonly [start: string, queries: readonly string[]])[] = [
  ['GET /api/v4/alert/', ['no_delay&rows=100', 'no_delay&q=*:*']],
  ['GET /api/v4/bundle/', ['', 'encoding=base64']],
  ['GET /api/v4/file/download/', ['', 'encoding=raw', 'encoding=zip&password=infected', 'name=x&sid=none']],
  ['GET /api/v4/file/result/<sha256>/<service>/', ['', 'all']],
  ['GET /api/v4/ontology/', ['', 'all']],
  ['GET /api/v4/signature/download/', ['query=*']],
  ['GET /api/v4/submission/full/', ['', 'get_full_tree=true']],
  ['GET /api/v4/submission/tree/', ['', 'get_full_tree=true']],
  ['GET /api/v4/submission/report/', ['', 'get_full_tree=true']],
];

let program: AnalysisTestProgram;
before(async () => {
  program = await startAnalysisTestProgram({
    // Nothing but what the test stores: no analyzer runs over it, no workflow changes it.
    settings: { 'ui.enforce_quota': false, components: ['http'] },
  });
  for (const [uname, classification] of Object.entries(USERS)) {
    await program.saveUser(uname, { type: ['admin', 'user'], classification });
  }
  await program.saveUser('ana', { classification: 'TLP:CLEAR' });
});
after(() => program.close());

describe('every route that shows documents', () => {
  it('shows and counts nothing above the caller', async () => {
    await fc.assert(
      fc.asyncProperty(aMarking, async (marking) => {
        const records = await saveClassifiedRecords(program, marking);
        const faults = new Set<string>();
        for (const route of calledRoutes().filter(({ path }) => !path.includes('<index>'))) {
          for (const { path, json } of callsOf(route, records)) {
            for (const user of userNames()) await check(faults, user, route.method, path, json, records);
          }
        }
        for (const [name] of searchedIndexes()) {
          for (const user of userNames()) {
            const path = `/api/v4/search/${name}/?query=*&fl=*&rows=200`;
            await check(faults, user, 'GET', path, undefined, records);
          }
        }
        assert.ok(faults.size === 0, `\n${[...faults].join('\n')}`);
      }),
      { numRuns: RUNS },
    );
  });

  it('counts nothing above the caller by any field of any index', async () => {
    const files = LEVELS.slice(0, 4).map((file, at) => ({
      ...{ file, entry: file, supplementary: LEVELS[at + 1] ?? file },
      sections: [LEVELS[0] ?? '', LEVELS[at + 2] ?? '', LEVELS[3] ?? ''].filter((one) => one !== ''),
    }));
    const records = await saveClassifiedRecords(program, { submission: 'TLP:CLEAR', files });
    const faults = new Set<string>();
    for (const [index, { stored }] of searchedIndexes()) {
      for (const field of stored?.ownFields.filter(({ indexed }) => indexed) ?? []) {
        for (const verb of ['facet', 'histogram', 'stats', 'grouped']) {
          const query = verb === 'grouped' ? '?fl=*&rows=200' : '';
          for (const user of userNames()) {
            await check(
              faults,
              user,
              'GET',
              `/api/v4/search/${verb}/${index}/${field.path}/${query}`,
              undefined,
              records,
            );
          }
        }
      }
    }
    assert.ok(faults.size === 0, `\n${[...faults].join('\n')}`);
  });

  it('finds nothing by the hash of a file above the caller', async () => {
    const hidden = { file: 'TLP:AMBER', entry: 'TLP:AMBER', sections: ['TLP:AMBER'], supplementary: 'TLP:AMBER' };
    const open = { file: 'TLP:CLEAR', entry: 'TLP:CLEAR', sections: ['TLP:CLEAR'], supplementary: 'TLP:CLEAR' };
    const { files, sid } = await saveClassifiedRecords(program, { submission: 'TLP:CLEAR', files: [open, hidden] });
    const totalOf = async (user: UserName, hash: string, suffix: string) => {
      const query = encodeURIComponent(`sid:${sid} AND (results:${hash}${suffix} OR errors:${hash}${suffix})`);
      const { json, text } = await program.as(user, `/api/v4/search/submission/?query=${query}`);
      assert.ok(json.api_response.total !== undefined, text);
      return json.api_response.total;
    };
    const [root = '', child = ''] = files.map(({ sha256 }) => sha256);
    for (const suffix of ['*', '.Mini*']) {
      assert.deepEqual([await totalOf('low', root, suffix), await totalOf('low', child, suffix)], [1, 0]);
      assert.deepEqual([await totalOf('high', root, suffix), await totalOf('high', child, suffix)], [1, 1]);
    }
  });

  it('is called, or listed with the reason why not', () => {
    const { routes } = program.analysis;
    const idle = NOT_CALLED.filter(([start]) => !routes.all.some((route) => keyOf(route).startsWith(start)));
    assert.deepEqual(idle, [], 'these are not served: take them off the list');
    const called = calledRoutes().map(keyOf);
    assert.ok(called.length > 60, `only ${called.length} routes are called`);
    for (const expected of [
      'GET /api/v4/bundle/<sid>/',
      'GET /api/v4/file/download/<sha256>/',
      'POST /api/v4/result/multiple_keys/',
    ]) {
      assert.ok(called.includes(expected), expected);
    }
  });
});

function searchedIndexes() {
  return Object.entries(SEARCH_INDEXES).filter(([name]) => !Object.hasOwn(NOT_SEARCHED, name));
}

function userNames(): readonly UserName[] {
  return Object.keys(USERS) as UserName[];
}

function calledRoutes(): readonly ListedRoute[] {
  return program.analysis.routes.all.filter(
    (route) => route.access !== 'public' && !NOT_CALLED.some(([start]) => keyOf(route).startsWith(start)),
  );
}

interface Call {
  readonly path: string;
  readonly json?: unknown;
}

/** Returns the calls of a route for all values of its parameters. Throws for parameters without values. */
function callsOf(route: ListedRoute, { parameters, resultKeys }: ClassifiedRecords): readonly Call[] {
  let paths: readonly string[] = [route.url];
  for (const name of partsOf(route.url)) {
    const publicName = name === '*' ? (/<path:(\w+)>$/.exec(route.path)?.[1] ?? name) : name;
    const example = exampleOf(propertiesOf(route.schema.params)[name]);
    const values = parameters[publicName] ?? (FIXED.has(publicName) ? [String(example)] : undefined);
    assert.ok(
      values !== undefined,
      `${keyOf(route)}: give classified-records.ts values for ${publicName}, or list the route in NOT_CALLED`,
    );
    paths = paths.flatMap((path) =>
      values.map((value) => path.replace(name === '*' ? /\*$/ : `:${name}`, encodeURIComponent(value))),
    );
  }
  const queries = VARIANTS.find(([start]) => keyOf(route).startsWith(start))?.[1] ?? [''];
  const json =
    route.method === 'GET'
      ? undefined
      : keyOf(route).includes('multiple_keys')
        ? { file: [], error: parameters.error_key, result: resultKeys }
        : {};
  return paths.flatMap((path) => queries.map((query) => ({ path: query === '' ? path : `${path}?${query}`, json })));
}

/** Parameters that name no document. */
const FIXED = new Set(['field', 'tag_name', 'component']);

/** Sends a request, and adds what its answer shows or counts although the user may not see it. */
async function check(
  faults: Set<string>,
  user: UserName,
  method: string,
  path: string,
  json: unknown,
  { markers, files, sid }: ClassifiedRecords,
): Promise<void> {
  const answer = await fetch(`${program.urls.analysis}${path}`, {
    method,
    headers: { 'x-user': user, 'x-apikey': `key:${SECRET}`, 'content-type': 'application/json' },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const text = await shownContent(new Uint8Array(await answer.arrayBuffer()));
  const fault = (what: string) => faults.add(`${user} (${USERS[user]}), ${method} ${path}: ${what}`);
  if (answer.status >= 500) fault(`${answer.status} ${text.slice(0, 200)}`);
  const isHidden = ({ needs }: Pick<Marker, 'needs'>) => !needs.every((one) => engine.isAccessible(USERS[user], one));
  for (const marker of markers.filter(isHidden))
    if (text.includes(marker.text)) fault(`shows ${marker.text} of ${marker.needs}`);
  for (const file of files.filter(isHidden)) {
    // What was asked for comes back in refusals.
    const isAsked = path.includes(file.sha256) || json !== undefined;
    if (!isAsked && text.includes(file.sha256)) fault(`shows the hash of a file of ${file.needs}`);
  }
  if (answer.headers.get('content-type')?.startsWith('application/json') !== true) return;
  const visible = files.filter((file) => !isHidden(file)).length;
  for (const [name, value, owner] of numbersIn(JSON.parse(text))) {
    // Figures of a field are named by its path.
    const isScore = /score/.test(name) || (/^(min|max)$/.test(name) && /score|hit_count|stats\./.test(path));
    if (isScore && Number.isInteger(value) && countsHidden(value, user))
      fault(`${name} ${value} counts what is hidden`);
    const isOwnCount = (name === 'file_count' || name === 'error_count') && owner.sid === sid;
    if (isOwnCount && value > visible) fault(`${name} ${value} of ${visible}`);
  }
}

type Json = Readonly<Record<string, unknown>>;

/** Yields the numbers of an answer with the name and the object of each. */
function* numbersIn(value: unknown): Generator<readonly [name: string, value: number, owner: Json]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'number') yield [name, member, value as Json];
    else yield* numbersIn(member);
  }
}

function keyOf({ method, path }: ListedRoute): string {
  return `${method} ${path}`;
}
