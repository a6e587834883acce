import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import type { TestProgram } from '../../src/testing/start-test-program.ts';
import { type RunningService, servicePython, startRecordedServices } from '../clients/analysis-services.ts';
import { clusterFixture, SLOW_SERVER_TIMEOUT } from '../cluster/cluster-fixture.ts';
import { newRun, replayConversation } from './analysis-conversation.ts';
import { startAnalysisProgram } from './analysis-program.ts';
import type { ReplayValues } from './replay-analysis.mjs';

/** Steps that cannot be answered as recorded, and why. One that is has to be taken off the list. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'auth-other-routes.json#3':
    'the public system keeps one-time passwords in the session that it gives to users of API keys too',
  'help.json#2': 'the texts of the built-in classifications are our own',
  'protocol-urls.json#2': 'the specification wants a 405 for a path without its final slash',
  'protocol-urls.json#3': 'the specification wants a 405 for a path without its final slash',
  'protocol-urls.json#6': 'the specification wants a 405 for a path without its final slash',
  'protocol-urls-variant.json#7': 'the specification wants a 405 for a path without its final slash',
  'protocol-urls-variant.json#8': 'the specification wants a 405 for a path without its final slash',
  'protocol-urls.json#7': 'the specification wants a 405 for a path without its final slash',
  'heuristics-variant.json#4': 'the recorded statistics hold results of files that no conversation submits',
  'alert-lifecycle.json#29': 'the recorded search had not seen the last change yet, which the step before it shows',
  'submit-zip-with-children.json#4': 'an attachment holds the name under which the recorded system saw the file first',
  'submit-zip-with-children.json#6': 'the components of the public system write the same classification in two ways',
  'submit-zip-with-children.json#8': 'an attachment holds the name under which the recorded system saw the file first',
  'protocol-urls.json#24': 'the specification wants a 405 for a path without its final slash',
};

/** The recordings know no other services than their own. */
const WITHOUT_ANALYZERS = { 'analysis.analyzers.enabled': 'none' };

const folder = join(import.meta.dirname, 'analysis');
const files = globSync(join(folder, '*.json')).sort();

const services = await servicePython();

describe('the recorded conversations of the analysis service', () => {
  replayAll(() => startAnalysisProgram(WITHOUT_ANALYZERS));
});

const engines = [
  ['opensearch', 'opensearch'],
  ['elasticsearch8', 'elasticsearch'],
  ['elasticsearch9', 'elasticsearch'],
] as const;
for (const [name, type] of engines) {
  const { url, unavailable } = outsideServer(name);
  if (unavailable !== undefined) {
    it(`the recorded conversations of the analysis service on ${name}`, { skip: unavailable }, () => undefined);
    continue;
  }
  describe(`the recorded conversations of the analysis service on ${name}`, () => {
    const fixture = clusterFixture(type, url);
    after(() => fixture.clear());
    replayAll(() =>
      startAnalysisProgram({
        ...WITHOUT_ANALYZERS,
        'datastore.type': type,
        'datastore.hosts': url,
        'datastore.index_prefix': fixture.prefix,
        'datastore.transport_timeout': SLOW_SERVER_TIMEOUT,
      }),
    );
  });
}

/** Registers a test for each conversation, all with one program and the recorded services. */
function replayAll(start: () => Promise<TestProgram>): void {
  if ('reason' in services) {
    it('replay without a mismatch: not run', { skip: services.reason });
    return;
  }
  const { python } = services;
  let program: TestProgram;
  let running: readonly RunningService[] = [];
  const values: ReplayValues = newRun();
  before(async () => {
    program = await start();
    running = await startRecordedServices(python, program.addresses.services ?? '');
  });
  after(async () => {
    await Promise.all(running.map((one) => one.kill()));
    await program.close();
  });

  for (const file of files) {
    const name = basename(file, '.json');
    it(name, async () => {
      const keep = name === '00-setup';
      const outcome = await replayConversation(program.urls.analysis, file, values, { keep });
      const unexpected = [...outcome.mismatches].filter(([step]) => !(step in DIFFERENT));
      assert.deepEqual(unexpected, []);
      const answered = outcome.passed.filter((step) => step in DIFFERENT);
      assert.deepEqual(answered, [], 'these are answered as recorded: take them off the list of differences');
    });
  }
}
