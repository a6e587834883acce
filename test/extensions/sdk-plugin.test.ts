import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPlugin, defineAction } from '../../sdk/plugin/src/index.js';
import { type StartedPlugin, startPlugin } from '../../sdk/plugin/src/testing.js';
import { extensionFolder } from '../../src/testing/extension-folder.ts';
import { startTestProgram, type TestProgram } from '../../src/testing/start-test-program.ts';

const EXTENSION = {
  'manifest.yml': "name: tickets\nmodules: {init: 'tickets.init:initialize'}\n",
  'init.ts': `import { add_supported_type } from 'triad/extension';
    export const initialize = (): void => add_supported_type('ticket', '^[Tt]-[0-9]+$', 'acme');`,
};

const plugin = createPlugin({
  name: 'lab',
  classification: 'UNRESTRICTED',
  types: ['domain', 'acme/ticket'],
  lookup: (type, value) => ({
    annotations: [{ analytic: 'lab', type: 'context', value: type, summary: `About ${value}`, confidence: 0.5 }],
  }),
  actions: [
    defineAction({
      id: 'note',
      name: 'Note',
      supportedTypes: ['domain'],
      run: ({ selector }) => ({ outcome: 'success', format: 'markdown', output: `# ${selector?.value}` }),
    }),
  ],
  fetchers: [
    {
      id: 'page',
      description: 'A page',
      format: 'markdown',
      supportedTypes: ['domain'],
      run: ({ value }) => ({ outcome: 'success', format: 'markdown', data: value }),
    },
  ],
});

let started: StartedPlugin;
let program: TestProgram;
const endings: (() => void)[] = [];
before(async () => {
  started = await startPlugin(plugin);
  program = await startTestProgram({
    settings: {
      'enrichment.own_sources': '',
      'enrichment.external_sources': [{ name: 'lab', url: started.url }],
      'core.extensions': ['tickets'],
      extension_folder: extensionFolder({ after: (end) => void endings.push(end) }, { tickets: EXTENSION }),
    },
  });
});
after(async () => {
  await program.close();
  await started.close();
  for (const end of endings) end();
});

const call = (path: string, options: object = {}) =>
  program.request(path, { service: 'enrichment', basic: 'admin:devkey:admin', ...options });

describe('a plugin of the SDK as a source of the program', () => {
  it('offers its types, also those of an extension', async () => {
    assert.deepEqual((await call('/api/v1/lookup/types/')).json.api_response, { lab: ['acme/ticket', 'domain'] });
    const { json } = await call('/api/v1/lookup/types_detection/');
    assert.equal(json.api_response['acme/ticket'], '^[Tt]-[0-9]+$');
  });

  it('answers lookups', async () => {
    const selectors = [
      { type: 'domain', value: 'Example.org' },
      { type: 'acme/ticket', value: 'T-7' },
    ];
    const { status, json } = await call('/enrich/', { method: 'POST', json: selectors });
    assert.equal(status, 200);
    assert.equal(json.api_response.domain['example.org'].lab.items[0].annotations[0].summary, 'About example.org');
    assert.equal(json.api_response['acme/ticket']['T-7'].lab.items[0].annotations[0].value, 'acme/ticket');
    const single = await call('/api/v1/lookup/enrich/domain/example.org/');
    assert.equal(single.json.api_response.lab.items[0].count, 1);
    // Types with a namespace are encoded as values are: twice.
    const ticket = await call('/api/v1/lookup/enrich/acme%252Fticket/T-7/');
    assert.equal(ticket.status, 200);
  });

  it('is not asked for values that the type of an extension does not accept', async () => {
    const { status, json } = await call('/enrich/', { method: 'POST', json: [{ type: 'acme/ticket', value: 'x' }] });
    assert.equal(status, 400);
    assert.match(json.api_error_message, /"x" is not a value of the type acme\/ticket/);
  });

  it('runs its actions and fetchers', async () => {
    const selector = { type: 'domain', value: 'example.org' };
    const actions = await call('/api/v1/actions/');
    assert.deepEqual(Object.keys(actions.json.api_response), ['lab.note']);
    const run = await call('/api/v1/actions/execute/lab/note', { method: 'POST', json: { selector } });
    assert.equal(run.json.api_response.output, '# example.org');
    assert.deepEqual(Object.keys((await call('/api/v1/fetchers/')).json.api_response), ['lab.page']);
    const page = await call('/api/v1/fetchers/lab/page', { method: 'POST', json: selector });
    assert.equal(page.json.api_response.data, 'example.org');
  });
});
