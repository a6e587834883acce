import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import { spawnProgram } from '../../src/testing/spawn-program.ts';
import { clusterFixture } from '../cluster/cluster-fixture.ts';
import { pythonWith, runPython } from './python-clients.ts';

const MIN_TESTS = 56;

/**
 * Runs the integration tests that the public system keeps for its own client, against a program with
 * the demo users.
 */
describe('the integration tests of howler-client', async () => {
  const checkout = process.env.HOWLER_FOLDER;
  if (checkout === undefined) {
    it('not run', { skip: 'set HOWLER_FOLDER to a checkout of CybercentreCanada/howler' });
    return;
  }
  const environment = await pythonWith(join(import.meta.dirname, 'requirements.txt'), 'clients');
  if ('reason' in environment) {
    it('not run', { skip: environment.reason });
    return;
  }

  const passOn = async (test: TestContext, datastore: Readonly<Record<string, string>> = {}) => {
    const program = await spawnProgram({ flags: ['--demo=users'], environment: datastore });
    try {
      const lines = await runPython(environment.python, ['-c', RUN, join(checkout, 'client')], {
        environment: { UI_HOST: program.alerts },
      });
      const outcomes = lines
        .map((line) => /^outcome (\w+) (\S+)::(\w+)/.exec(line))
        .filter((match) => match !== null)
        .map(([, outcome, file, name]) => ({ outcome, file, name: String(name) }));
      test.diagnostic(lines.at(-1) ?? '');
      assert.ok(outcomes.length >= MIN_TESTS, `only ${outcomes.length} tests ran:\n${lines.join('\n')}`);
      const failed = outcomes.filter(({ outcome }) => outcome !== 'passed');
      assert.deepEqual(failed, [], lines.join('\n'));
    } finally {
      await program.stop();
    }
  };

  it('pass', (test) => passOn(test));

  const { url, unavailable } = outsideServer('opensearch');
  it('pass on OpenSearch', { skip: unavailable ?? false }, async (test) => {
    const fixture = clusterFixture('opensearch', url);
    try {
      await passOn(test, fixture.environment);
    } finally {
      await fixture.clear();
    }
  });
});

/** Runs pytest in the given folder, and prints one line for each test with its outcome. */
const RUN = `
import os, sys
import pytest

class Outcomes:
    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome != "passed":
            print(f"\\noutcome {report.outcome} {report.nodeid}", flush=True)

os.chdir(sys.argv[1])
sys.path.insert(0, os.getcwd())
pytest.main(["-q", "-p", "no:cacheprovider", "-o", "log_cli=false", "test/integration"], plugins=[Outcomes()])
`;
