import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { extensionFolder } from '../../testing/extension-folder.ts';
import { until } from '../../testing/until.ts';
import { Extensions } from './extensions.ts';

type Files = Readonly<Record<string, string>>;

const manifest = (name: string, modules = '') => `name: ${name}\nmodules: {${modules}}\n`;
const INIT = "init: 'one.init:initialize'";
const init = (code: string) => ({
  'manifest.yml': manifest('one', INIT),
  'init.ts': `import { add_supported_type } from 'triad/extension';\nexport async function initialize(app: { log: { info(text: string): void } }): Promise<void> { ${code} }\nvoid add_supported_type;`,
});
const TWO: Files = {
  'manifest.yml': manifest('two', 'routes: [items]'),
  'routes/items.ts': `import { createRouteGroup } from 'triad/extension';
export const items = createRouteGroup('two').get('/items/<id>', ({ params }) => [params, 201]);`,
};

/** Loads the extension `one` with these files, then `two`, which always works. */
async function load(context: TestContext, one: Files, options: { readonly stepTimeout?: number } = {}) {
  const folder = extensionFolder(context, { one, two: TWO });
  const lines: { level: string; entry: Readonly<Record<string, unknown>>; message: string }[] = [];
  const logTo = (level: string) => (entry: object, message: string) =>
    void lines.push({ level, entry: { ...entry }, message });
  const log = { info: logTo('info'), warn: logTo('warn'), error: logTo('error') };
  const extensions = await Extensions.load({
    names: ['one', 'two'],
    folder,
    version: '0.0.0',
    log,
    routeTimeout: 1000,
    exchangeTimeout: 1000,
    ...options,
  });
  context.after(() => extensions.close());
  const states = await Promise.all(extensions.checks.map(({ health }) => health()));
  const [one_, two] = states;
  assert.deepEqual(two, { ok: true, detail: 'serving' }, 'the other extension serves');
  return { extensions, lines, state: one_, errors: lines.filter(({ level }) => level === 'error') };
}

const request = { method: 'GET', path: '/', params: {}, query: {}, headers: {}, body: undefined, user: null };

describe('an extension that fails while it loads', () => {
  const failing: Readonly<Record<string, readonly [files: Files, step: string, reason: RegExp]>> = {
    'has no manifest': [{}, 'config', /There is no manifest\.yml/],
    'has bad YAML': [{ 'manifest.yml': 'name: one\nfeatures: [a\n' }, 'config', /manifest\.yml, line \d/],
    'has no name': [{ 'manifest.yml': 'features: {}' }, 'config', /name: must be a name/],
    'has a wrong feature': [
      { 'manifest.yml': 'name: one\nfeatures:\n  fast: maybe\n' },
      'config',
      /manifest\.yml, line 3, features\.fast: must be true or false/,
    ],
    'has an unknown module': [
      { 'manifest.yml': manifest('one', 'start: x') },
      'config',
      /modules\.start: is not known/,
    ],
    'has a config that throws': [{ 'config.ts': 'throw new Error("no luck")' }, 'config', /no luck/],
    'has a syntax error': [{ 'config.ts': 'export const config = {' }, 'config', /SyntaxError/],
    'has an init that throws': [init('throw new Error("boom")'), 'init', /boom/],
    'has an init that calls process.exit': [init('process.exit(3)'), 'init', /cannot end the program/],
    'has no init module': [{ 'manifest.yml': manifest('one', INIT) }, 'init', /no module for "one\.init:initialize"/],
    'adds a type with a bad expression': [
      init("add_supported_type('ticket', '(?<=a)b')"),
      'init',
      /type ticket is refused\. RE2 does not accept it/,
    ],
    'adds a type of ours': [init("add_supported_type('ipv4')"), 'init', /There is a type ipv4 already/],
    'has no such route module': [{ 'manifest.yml': manifest('one', 'routes: [gone]') }, 'routes', /no module/],
    'has a route module without a group': [
      { 'manifest.yml': manifest('one', 'routes: [items]'), 'routes/items.ts': 'export const items = 1;' },
      'routes',
      /exports none of items/,
    ],
    'has no exchange function': [{ 'manifest.yml': manifest('one', 'obo_module: true') }, 'obo', /one\.obo/],
    'has the name of another': [{ 'manifest.yml': manifest('../x') }, 'config', /must be a name/],
  };
  for (const [what, [files, step, reason]] of Object.entries(failing)) {
    it(`and ${what} is reported with its name and step`, async (context) => {
      const { state, errors } = await load(context, files);
      assert.equal(state?.ok, false);
      assert.match(state?.detail ?? '', new RegExp(`^${step}: `));
      assert.equal(errors.length, 1);
      assert.equal(errors[0]?.entry.extension, 'one');
      assert.equal(errors[0]?.entry.step, step);
      assert.match(String(errors[0]?.entry.problem), reason);
    });
  }

  it('is stopped when it hangs, also in an endless loop', async (context) => {
    for (const code of ['await new Promise(() => {});', 'for (;;) {}']) {
      const { state } = await load(context, init(code), { stepTimeout: 2500 });
      assert.deepEqual(state, { ok: false, detail: 'init: no answer within 2.5 s' });
    }
  });

  it('leaves none of its types', async (context) => {
    const { extensions } = await load(context, init("add_supported_type('ticket'); throw new Error('late')"));
    assert.equal(extensions.types.has('ticket'), false);
  });

  it('is reported when there is none of the name', async () => {
    const errors: object[] = [];
    const log = { info: () => {}, warn: () => {}, error: (entry: object) => void errors.push(entry) };
    const extensions = await Extensions.load({ names: ['nothing-here', '../x'], folder: null, version: '0', log });
    const [first, second] = await Promise.all(extensions.checks.map(({ health }) => health()));
    assert.match(first?.detail ?? '', /^find: There is no setting extension_folder .* and no package nothing-here\.$/);
    assert.match(second?.detail ?? '', /^find: "\.\.\/x" is not the name of an extension/);
    assert.equal(errors.length, 2);
  });
});

describe('an extension', () => {
  it('adds types, logs with its name, and continues after what it throws aside', async (context) => {
    const { extensions, lines, state } = await load(
      context,
      init(`app.log.info('hello'); console.log('printed');
        add_supported_type('ticket', '^T-[0-9]+$', 'acme'); add_supported_type('note');
        setTimeout(() => { throw new Error('late') }, 1); setTimeout(() => void Promise.reject(new Error('lost')), 1);
        setTimeout(() => process.exit(4), 2);`),
    );
    assert.deepEqual(state, { ok: true, detail: 'serving' });
    assert.equal(extensions.types.problemOf('acme/ticket', 'T-12'), undefined);
    assert.match(extensions.types.problemOf('acme/ticket', 'x') ?? '', /type acme\/ticket/);
    assert.equal(extensions.types.problemOf('note', 'x'), undefined);
    await until(
      'all are logged',
      () => lines.filter(({ message }) => message === 'the extension one threw').length === 3,
    );
    for (const text of ['hello', 'printed']) {
      await until(`${text} is logged`, () =>
        lines.some(({ entry, message }) => message === text && entry.extension === 'one'),
      );
    }
    assert.deepEqual(await Promise.all(extensions.checks.map(({ health }) => health())), [
      { ok: true, detail: 'serving' },
      { ok: true, detail: 'serving' },
    ]);
  });

  it('has one entry in the log for a line that it writes in parts, and for the rest at its end', async (context) => {
    const { extensions, lines } = await load(
      context,
      init(`process.stdout.write('two ');
        await new Promise((resolve) => setTimeout(resolve, 50));
        process.stdout.write('halves\\nno end');`),
    );
    const messages = () => lines.map(({ message }) => message);
    await until('the line is logged', () => messages().includes('two halves'));
    assert.ok(!messages().includes('no end'));
    await extensions.close();
    await until('the rest is logged', () => messages().includes('no end'));
  });

  it('exchanges tokens, names itself when it fails, and is not waited for', async (context) => {
    const { extensions, errors } = await load(context, {
      'manifest.yml': manifest('one', 'obo_module: true'),
      'obo.ts': `export async function get_obo_token(service: string, token: string, user: string): Promise<unknown> {
        if (service === 'throws') throw new Error('refused');
        if (service === 'hangs') return new Promise(() => {});
        if (service === 'number') return 7;
        return service === 'vault' ? token + '-' + user : null;
      }`,
    });
    const [exchange, other] = extensions.exchangers;
    assert.equal(await exchange?.('vault', 't', 'ada'), 't-ada');
    assert.equal(await exchange?.('else', 't', 'ada'), null);
    assert.equal(await other?.('vault', 't', 'ada'), null);
    assert.deepEqual(errors, []);
    await assert.rejects(
      async () => exchange?.('throws', 't', 'ada'),
      /extension one failed in get_obo_token: Error: refused/,
    );
    await assert.rejects(async () => exchange?.('number', 't', 'ada'), /must return a string, or null/);
    await assert.rejects(async () => exchange?.('hangs', 't', 'ada'), /no answer within 1 s/);
    assert.equal(await exchange?.('vault', 't', 'ada'), 't-ada');
  });

  it('is ended when an endless loop occupies it, and says so', { timeout: 20_000 }, async (context) => {
    const { extensions } = await load(context, {
      'manifest.yml': manifest('one', 'routes: [loop]'),
      'loop.js': `import { createRouteGroup } from 'triad/extension';
        export const loop = createRouteGroup('one').get('/', () => { for (;;) {} });`,
    });
    const [{ extension, number } = { extension: undefined, number: 0 }] = extensions.groups(new Set());
    const call = () => extension?.answer({ ...request, group: number, route: 0 }, '/');
    await assert.rejects(async () => call(), { code: 'extension_unavailable' });
    await until('the extension is ended', () => extension?.state.problem !== undefined, 15_000);
    assert.match(extension?.state.problem ?? '', /endless loop/);
    await assert.rejects(async () => call(), { code: 'extension_unavailable' });
  });
});

describe('an extension that is an installed package', () => {
  it('is found from the working directory, also in TypeScript', async (context) => {
    const folder = extensionFolder(context, {
      'node_modules/packed': {
        'package.json': '{"name":"packed","version":"1.0.0","type":"module"}',
        'manifest.yml': manifest('packed', "init: 'packed.init:initialize'"),
        'init.ts': `import { add_supported_type } from 'triad/extension';
          export function initialize(): void { add_supported_type('parcel'); }`,
      },
    });
    const before = process.cwd();
    process.chdir(folder);
    context.after(() => process.chdir(before));
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const extensions = await Extensions.load({ names: ['packed'], folder: null, version: '0', log });
    context.after(() => extensions.close());
    assert.deepEqual(await extensions.checks[0]?.health(), { ok: true, detail: 'serving' });
    assert.ok(extensions.types.has('parcel'));
  });
});

describe('two sub-APIs of one name', () => {
  it('leave the second out, naming both', async (context) => {
    const { extensions, lines } = await load(context, {
      'manifest.yml': manifest('one', 'routes: [a, b]'),
      'a.ts':
        "import { createRouteGroup } from 'triad/extension';\nexport const a = createRouteGroup('two').get('/', () => 1);",
      'b.ts':
        "import { createRouteGroup } from 'triad/extension';\nexport const b = createRouteGroup('lookup').get('/', () => 1);",
    });
    const groups = extensions.groups(new Set(['lookup']));
    assert.deepEqual(
      groups.map(({ extension, group }) => `${extension.name} ${group.name}`),
      ['one two'],
    );
    const errors = lines.filter(({ level }) => level === 'error');
    assert.match(String(errors[0]?.entry.problem), /sub-API lookup of one is left out: the service itself has one/);
    assert.match(String(errors[1]?.entry.problem), /sub-API two of two is left out: the extension one has one/);
  });
});
