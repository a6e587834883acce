import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';
import { until } from '../../testing/until.ts';
import { openServices } from '../services/open-services.ts';

const PROTOCOL = { origin: 'protocol' } as const;
const LOG = { debug() {}, info() {}, warn() {}, error() {} };

let program: TestProgram;
before(async () => {
  program = await startTestProgram({
    settings: { 'analysis.ui.tos': 'Be **kind**.', 'analysis.services.categories': ['One', 'Two'] },
  });
});
after(() => program.close());

const ask = async (path: string) => {
  const headers = { 'x-user': 'user', 'x-apikey': 'devkey:user' };
  const { json } = await program.request(`/api/v4/help/${path}`, { service: 'analysis', headers });
  return json.api_response;
};

describe('help of the analysis service', () => {
  it('has the terms of service for users who have not agreed yet', async () => {
    assert.equal(await ask('tos/'), 'Be **kind**.');
    assert.equal(await ask('constants/').then(({ ui }) => ui.tos), true);
  });

  it('has the classifications as they are read, or as they are written when that is asked for', async () => {
    await agree();
    for (const query of ['', '?original=false', '?original=0', '?original=false&original=true']) {
      const parsed = await ask(`classification_definition/${query}`);
      assert.ok('levels_map' in parsed, query);
    }
    for (const query of ['?original', '?original=', '?original=TRUE', '?original=1', '?original=true&original=false']) {
      const original = await ask(`classification_definition/${query}`);
      assert.ok(Array.isArray(original.levels), query);
    }
  });

  it('has what is configured', async () => {
    await agree();
    const configuration = await ask('configuration/');
    assert.deepEqual(configuration['services.categories'], [
      ['One', []],
      ['Two', []],
    ]);
    assert.equal(configuration['submission.max_file_size'], program.config.analysis.submission.max_file_size);
  });

  it('has every kind of file and of tag, sorted and once', async () => {
    await agree();
    const { file_types, tag_types, priorities, max_priority } = await ask('constants/');
    const [first, ...kinds] = file_types.map(([kind]: [string]) => kind);
    assert.equal(first, '*');
    for (const names of [kinds, tag_types]) {
      assert.deepEqual(names, [...new Set(names)].sort());
      assert.ok(names.length > 100);
    }
    assert.ok(kinds.includes('executable/windows/pe64') && kinds.includes('uri'));
    assert.ok(tag_types.includes('file.rule') && tag_types.includes('network.static.ip'));
    assert.deepEqual([priorities.low, priorities['user-high'], max_priority], [[1, 100], [1001, 1500], 1500]);
  });

  it('has the services that take each kind of file', async () => {
    await agree();
    const { registry } = openServices({ ...program.foundation, settings: program.config, log: LOG });
    const register = (name: string, members: object) =>
      registry.register({ name, version: '1', docker_config: { image: 'x' }, enabled: true, ...members }, PROTOCOL);
    await register('General', {});
    await register('Texts', { accepts: 'text/(plain|json)', rejects: 'text/json' });
    await register('Broken', { accepts: '(((' });
    await register('Off', { enabled: false });
    await until('all are known', async () => {
      const kinds = new Map<string, string[]>((await ask('constants/')).file_types);
      return kinds.get('*')?.includes('General') === true && kinds.get('text/plain')?.includes('Texts') === true;
    });
    const kinds = new Map<string, string[]>((await ask('constants/')).file_types);
    assert.deepEqual(kinds.get('text/json'), ['Characterize']);
    assert.deepEqual(kinds.get('text/plain'), ['Characterize', 'Texts']);
    assert.deepEqual(kinds.get('archive/zip'), ['Characterize', 'Extract']);
    assert.deepEqual(kinds.get('*'), ['General']);
    await registry.close();
  });
});

/** The user agrees to the terms. */
async function agree(): Promise<void> {
  const { users } = program.foundation;
  await users.update('user', [{ op: 'set', path: 'agrees_with_tos', value: '2026-01-02T03:04:05.000000Z' }]);
}
