import assert from 'node:assert/strict';
import { unlinkSync } from 'node:fs';
import { describe, it } from 'node:test';
import { indicatorOf, openListsService } from '../../testing/enrichment/lists-service.ts';
import { listFolder } from '../../testing/enrichment/open-lists.ts';
import { startScriptedServer } from '../../testing/servers/scripted-server.ts';
import { until } from '../../testing/until.ts';

describe('updates of lists', () => {
  it('compile local files, notice changes, and keep the old list where they are broken', async (context) => {
    const files = listFolder(context);
    const path = files.write('a.json', bundleOf('one.example'));
    const { ask, statesFor, lines } = await openListsService(context, [{ name: 'a', format: 'stix', path }], {
      folder: files,
    });
    const knows = async (name: string) => {
      const answer = await ask('UNRESTRICTED', [['domain', name]]);
      return (answer.domain[name].lists?.items.length ?? 0) > 0;
    };
    await until('the list is compiled', () => knows('one.example'));
    files.write('a.json', bundleOf('two.example'));
    await until('the change is noticed', () => knows('two.example'));
    assert.equal(await knows('one.example'), false);
    files.write('a.json', bundleOf('three.example').slice(0, -9));
    await until('the failure is noticed', async () => (await statesFor('UNRESTRICTED'))[0]?.problem !== undefined);
    assert.equal(await knows('two.example'), true);
    const [state] = await statesFor('UNRESTRICTED');
    assert.equal(state?.failures, 1);
    await until('the failure is logged', () =>
      lines.some(({ level, message }) => level === 'warn' && /the old one stays/.test(message)),
    );
    unlinkSync(path);
    await until('the missing file is noticed', async () => ((await statesFor('UNRESTRICTED'))[0]?.failures ?? 0) > 1);
    assert.equal(await knows('two.example'), true);
  });

  it('of another process are opened', async (context) => {
    const files = listFolder(context);
    const path = files.write('a.txt', 'one.example\n');
    const settings = [{ name: 'a', path }];
    const services = await Promise.all([1, 2].map(() => openListsService(context, settings, { folder: files })));
    const know = async (name: string) => {
      const answers = await Promise.all(services.map(({ ask }) => ask('UNRESTRICTED', [['domain', name]])));
      return answers.every((answer) => (answer.domain[name].lists?.items.length ?? 0) > 0);
    };
    await until('both have the list', () => know('one.example'));
    files.write('a.txt', 'two.example\n');
    await until('both have the new one', () => know('two.example'));
    const updates = services.flatMap(({ lines }) => lines.filter(({ message }) => /was updated$/.test(message)));
    assert.ok(updates.length >= 2, 'each state was compiled');
  });

  it('fetch lists at addresses by their interval', async (context) => {
    let content = 'one.example\n';
    await using server = await startScriptedServer(() => ({ body: content }));
    const list = { name: 'a', url: `${server.url}/list`, interval: '100ms' };
    const { ask } = await openListsService(context, [list, { name: 'never', url: `${server.url}/never` }]);
    const knows = async (name: string) =>
      ((await ask('UNRESTRICTED', [['domain', name]])).domain[name].lists?.items.length ?? 0) > 0;
    await until('the list is fetched', () => knows('one.example'));
    content = 'two.example\n';
    await until('the list is fetched again', () => knows('two.example'));
    assert.ok(server.requests.every(({ url }) => url === '/list'));
  });
});

function bundleOf(domain: string): string {
  return JSON.stringify({ type: 'bundle', objects: [indicatorOf([domain, { valid_from: '2026-01-01T00:00:00Z' }])] });
}
