import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { DEMO_CLASSIFICATION } from '../src/classification/builtin-definitions.ts';
import { startScriptedServer } from '../src/testing/servers/scripted-server.ts';
import { startTestProgram } from '../src/testing/start-test-program.ts';

it('serves with a configuration folder of Howler, on engines of its own', async () => {
  const metadata = { alternateText: 'Wiki', imageDark: 'd', imageLight: 'l', classification: 'U' };
  const instance = [{ hostName: 'wiki.example.org', metadata }];
  await using discovery = await startScriptedServer(() => ({
    body: { applications: { application: [{ name: 'wiki', instance }] } },
  }));
  const above = await mkdtemp(join(tmpdir(), 'howler-folder-'));
  const folder = join(above, 'conf');
  await mkdir(folder);
  await mkdir(join(above, 'lookups'));
  const files = {
    'conf/config.yml': `
core: { redis: { persistent: { host: localhost, port: 1 } }, clue: { enabled: true }, notebook: { enabled: true } }
datastore: { hosts: [{ name: elastic, host: "localhost:1" }], ilm: { enabled: false, indexes: {} } }
discovery: { enabled: true, url: "${discovery.url}/apps" }
system: { type: staging, correlation: { batch_size: 5, batch_timeout: 2 } }
ui: { audit: false, debug: true }`,
    'conf/mappings.yml': 'mapping:\n  source.ip: ip\n',
    'conf/classification.yml': DEMO_CLASSIFICATION,
    'lookups/tactics.yml': 'TA0001: { key: TA0001, name: Initial Access, url: "https://attack.mitre.org" }\n',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(above, name), text);
  const program = await startTestProgram({
    demo: 'none',
    folder,
    settings: { 'datastore.type': 'embedded', 'coordination.type': 'embedded', 'http.metrics_prefix': 'howler' },
  });
  try {
    const { configuration, lookups } = (await program.request('/api/v1/configs')).json.api_response;
    assert.deepEqual(configuration.mapping, { 'source.ip': 'ip' });
    assert.equal(configuration.system.type, 'staging');
    assert.deepEqual(configuration.features, { clue: true, notebook: false });
    assert.deepEqual(configuration.ui.apps, [
      { alt: 'Wiki', classification: 'U', img_d: 'd', img_l: 'l', name: 'wiki', route: 'wiki.example.org' },
    ]);
    assert.equal(lookups.tactics.TA0001.name, 'Initial Access');
    assert.match((await program.request('/metrics')).text, /^howler_http_requests_total\{/m);
  } finally {
    await program.close();
    await rm(above, { recursive: true });
  }
});
