import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { emptyResultDocument } from '../../src/documents/kinds/analysis/empty-result.ts';
import { fileDocument } from '../../src/documents/kinds/analysis/file.ts';
import { heuristicDocument } from '../../src/documents/kinds/analysis/heuristic.ts';
import { resultDocument } from '../../src/documents/kinds/analysis/result.ts';
import { type Submission, submissionDocument } from '../../src/documents/kinds/analysis/submission.ts';
import { seedDocument } from '../../src/testing/seed-document.ts';
import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import type { TestProgram } from '../../src/testing/start-test-program.ts';
import { clusterFixture, SLOW_SERVER_TIMEOUT } from '../cluster/cluster-fixture.ts';
import { newRun, replayConversation } from './analysis-conversation.ts';
import { startAnalysisProgram } from './analysis-program.ts';
import type { ReplayValues } from './replay-analysis.mjs';

/** The recorded searches over documents as the recorded analysis left them, without analysing anything. */

const FOLDER = join(import.meta.dirname, 'analysis');
const EXPIRY = '2999-01-02T03:04:05.000000Z';
const values: ReplayValues = newRun();
const { run } = values;
let program: TestProgram;

/** Kind, priority, score, submitter, size and type of a recorded submission of one file. */
const SUBMISSIONS = [
  ['clean', 100, 0, `usr${run}`, 27, 'text/plain', `clean-${run}.txt`],
  ['text', 500, 800, 'admin', 79, 'text/plain', `sample-${run}.txt`],
  ['family', 700, 1700, 'admin', 92, 'text/plain', `family-${run}.txt`],
  ['script', 900, 0, 'admin', 41, 'code/shell', `run-${run}.sh`],
  ['zip', 950, 800, 'admin', 500, 'archive/zip', `kids-${run}.zip`],
  ['neg', 1000, 2000, 'admin', 78, 'text/plain', `worst-${run}.txt`],
] as const;

/** Kind of the file, analyzer, score and sections. */
const RESULTS = [
  ['text', 'Mini', 500, [{ heuristic: heuristic('MINI.1', 500) }]],
  [
    'text',
    'Unpack',
    300,
    [
      {
        title_text: 'Indicator',
        body: `evil-${run}.example`,
        body_config: {},
        tags: { network: { static: { domain: [`evil-${run}.example`] } } },
      },
      {
        title_text: 'Score 300',
        body_config: {},
        heuristic: { ...heuristic('UNPACK.3', 300, 'Score by signature'), signature: [{ name: 's300' }] },
      },
    ],
  ],
  ['clean', 'Mini', 0, [{}]],
  ['family', 'Mini', 0, [{}]],
  ['family', 'Unpack', 1700, [{ heuristic: heuristic('UNPACK.2', 700) }, { heuristic: heuristic('UNPACK.3', 1000) }]],
  ['script', 'Mini', 0, [{}]],
  ['neg', 'Mini', 500, [{ heuristic: heuristic('MINI.1', 500) }]],
  ['neg', 'Unpack', 1500, [{ heuristic: heuristic('UNPACK.3', 1500) }]],
] as const;

const HEURISTICS = [
  ['MINI.1', 'Evil marker', 'Contains EVIL', '*', 500, [], {}],
  [
    'UNPACK.1',
    'Archive with members',
    'The file is an archive',
    'archive/.*',
    100,
    ['T1027'],
    { zip_with_members: 120 },
  ],
  ['UNPACK.2', 'Named family', 'Names a family', '*', 700, [], {}],
  ['UNPACK.3', 'Score by signature', 'Score chosen by signature', '*', 10, [], { s1000: 1000, s2000: 2000, s300: 300 }],
] as const;

const engines = [
  ['opensearch', 'opensearch'],
  ['elasticsearch8', 'elasticsearch'],
  ['elasticsearch9', 'elasticsearch'],
] as const;

describe('the recorded searches', () => replayAll({}));

for (const [name, type] of engines) {
  const { url, unavailable } = outsideServer(name);
  if (unavailable !== undefined) {
    it(`the recorded searches on ${name}`, { skip: unavailable }, () => undefined);
    continue;
  }
  describe(`the recorded searches on ${name}`, () => {
    const fixture = clusterFixture(type, url);
    after(() => fixture.clear());
    replayAll({
      'datastore.type': type,
      'datastore.hosts': url,
      'datastore.index_prefix': fixture.prefix,
      'datastore.transport_timeout': SLOW_SERVER_TIMEOUT,
    });
  });
}

function replayAll(settings: Readonly<Record<string, unknown>>): void {
  before(async () => {
    program = await startAnalysisProgram({ 'analysis.analyzers.enabled': 'none', ...settings });
    await seedAll();
  });
  after(() => program.close());
  for (const file of globSync('search-*.json', { cwd: FOLDER }).sort()) {
    it(basename(file, '.json'), async () => {
      const outcome = await replayConversation(program.urls.analysis, join(FOLDER, file), values);
      assert.deepEqual([...outcome.mismatches], []);
    });
  }
}

async function seedAll(): Promise<void> {
  await makeUsers();
  for (const submission of SUBMISSIONS) await seedSubmission(submission);
  for (const [kind, service, score, sections] of RESULTS) {
    const id = `${values[`file:${kind}`]}.${service}.v4_7_4_25.c194ZBEYk2AF`;
    await seedDocument(program, resultDocument, id, resultOf(String(values[`file:${kind}`]), service, score, sections));
  }
  await seedDocument(program, emptyResultDocument, `${values['file:clean']}.Unpack.v4_7_4_25.c194ZBEYk2AF.e`, {
    expiry_ts: EXPIRY,
  });
  for (const [id, name, description, filetype, score, attacks, signatures] of HEURISTICS) {
    await seedDocument(program, heuristicDocument, id, {
      heur_id: id,
      name,
      description,
      filetype,
      score,
      attack_id: attacks,
      signature_score_map: signatures,
      ...(id === 'UNPACK.3' ? { max_score: 1500 } : {}),
    });
  }
}

/** Replays of the setup what makes users alone. */
async function makeUsers(): Promise<void> {
  const { steps } = JSON.parse(await readFile(join(FOLDER, '00-setup.json'), 'utf8')) as {
    steps: readonly { readonly request: { readonly path: string } }[];
  };
  const folder = await mkdtemp(join(tmpdir(), 'triad-searches-'));
  try {
    const file = join(folder, 'users.json');
    const users = steps.filter(({ request }) => !/\/(submit|submission|search)\//.test(request.path));
    await writeFile(file, JSON.stringify({ steps: users }));
    const { mismatches } = await replayConversation(program.urls.analysis, file, values, { keep: true });
    assert.deepEqual([...mismatches], []);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function seedSubmission([kind, priority, score, submitter, size, type, name]: (typeof SUBMISSIONS)[number]) {
  const sha256 = createHash('sha256').update(`${kind} ${run}`).digest('hex');
  const sid = `sid${kind}${run}`;
  values[`sid:${kind}`] = sid;
  values[`file:${kind}`] = sha256;
  await seedDocument(program, fileDocument, sha256, {
    sha256,
    size,
    type,
    md5: createHash('md5').update(kind).digest('hex'),
    sha1: createHash('sha1').update(kind).digest('hex'),
    ssdeep: '3:abc:def',
    tlsh: `T1${'0'.repeat(70)}`,
    ascii: `EVIL golden ${run}.network.static.domain=evil-${run}.exa`,
    hex: '4556494c',
    magic: 'ASCII text',
    mime: 'text/plain',
    entropy: 4.5,
    expiry_ts: EXPIRY,
  });
  const input = {
    sid,
    state: 'completed',
    error_count: 0,
    errors: [],
    results: [`${sha256}.Mini.v4_7_4_25.c194ZBEYk2AF`, `${sha256}.Unpack.v4_7_4_25.c194ZBEYk2AF.e`],
    file_count: kind === 'zip' ? 4 : 1,
    files: [{ name, sha256, size }],
    max_score: score,
    metadata: { golden: run, kind },
    times: { completed: '2026-01-02T03:04:05.000000Z' },
    expiry_ts: EXPIRY,
    params: {
      submitter,
      priority,
      description: `Golden ${kind} ${run}`,
      ttl: 2,
      quota_item: true,
    },
  };
  // A completed submission keeps the services that were selected alone.
  const services = { selected: ['Mini', 'Unpack'] } as unknown as Submission['params']['services'];
  await seedDocument(program, submissionDocument, sid, input, (document) => ({
    ...document,
    params: { ...document.params, services },
  }));
}

function heuristic(id: string, score: number, name = id) {
  return { heur_id: id, name, score };
}

function resultOf(sha256: string, service: string, score: number, sections: readonly object[]) {
  const ontology = {
    name: `unpack_${sha256}.ontology`,
    sha256: 'a'.repeat(64),
    description: 'Result Ontology from Unpack',
    parent_relation: 'INFORMATION',
  };
  return {
    sha256,
    size: SUBMISSIONS.find(([kind]) => values[`file:${kind}`] === sha256)?.[4],
    type: 'text/plain',
    expiry_ts: EXPIRY,
    response: {
      service_name: service,
      service_version: '4.7.4.25',
      supplementary: service === 'Unpack' ? [ontology] : [],
    },
    result: {
      score,
      sections: sections.map((section) => ({ title_text: 'Section', body_format: 'TEXT', depth: 0, ...section })),
    },
  };
}
