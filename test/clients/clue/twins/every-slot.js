import {
  AuthenticationFailed,
  createPlugin,
  defineAction,
  InvalidData,
  NotFound,
  PluginError,
  TimedOut,
  Unprocessable,
} from 'triad-plugin';

// A plugin that fills the slots of the SDK, with every way to fail. `app.py` is its twin.
const supportedTypes = ['domain', 'ipv4'];
const action = (id, definition) =>
  defineAction({ id, name: `${id[0].toUpperCase()}${id.slice(1)}`, supportedTypes, ...definition });
const fetcher = (id, format, definition) => ({ id, format, description: `A ${id}`, supportedTypes, ...definition });
const success = (format, output) => ({ outcome: 'success', format, output });
const annotation = (fields) => ({
  ...{ analytic: 'Twin', type: 'context', value: 'x', summary: 'Seen.', confidence: 0.5 },
  ...fields,
});
const inPython = (flag) => (flag ? 'True' : 'False');

const FAILURES = {
  invalid: () => new InvalidData('The value is invalid.'),
  missing: () => new NotFound('It is missing.'),
  late: () => new TimedOut('The other server is late.'),
  odd: () => new Unprocessable('The value is odd.'),
  broken: () => new PluginError(500, 'It broke.'),
};
const MANY = [
  { classification: 'TLP:CLEAR', count: 3, raw_data: { a: null } },
  {
    classification: 'TLP:GREEN',
    link: 'http://example.org',
    annotations: [
      annotation({ type: 'opinion', value: 'malicious', severity: 0.8, quantity: 4 }),
      annotation({ analytic: undefined, author: 'Ann', type: 'frequency', value: 7, severity: 0.5, priority: 2 }),
      annotation({ type: 'assessment', value: 'false-positive', version: '1', ubiquitous: true }),
    ],
  },
];

/** Fails as the other twin does for these values. */
function failFor({ value }) {
  if (value === 'known') throw new PluginError(500, 'It is known to fail.');
  if (value === 'broken') throw new Error('It breaks.');
}

function fetched(run) {
  return (selector) => {
    failFor(selector);
    return selector.value === 'told' ? { outcome: 'failure', error: 'There is none.' } : run(selector);
  };
}

export const plugin = createPlugin({
  name: 'every-slot',
  classification: 'TLP:CLEAR',
  cache: false,
  types: ['domain', 'ipv4', 'ipv6'],
  log: { error: () => {} },
  validateToken: (token) => {
    if (token === 'forged') throw new AuthenticationFailed('The token is forged.');
  },
  lookup: async (type, value, { token, limit, annotate, raw, useCache, signal }) => {
    if (value in FAILURES) throw FAILURES[value]();
    if (value === 'slow') await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
    if (value === 'none') return [];
    if (value === 'many') return MANY;
    const flags = [annotate, raw, useCache].map(inPython).join(' ');
    const told = `${type} ${value} ${token} ${limit} ${flags}`;
    return { link: `https://example.org/${told}`, annotations: [annotation({ value: told })] };
  },
  actions: [
    action('note', {
      ...{ format: 'json', summary: 'Notes it', icon: 'mdi:note' },
      params: {
        comment: { type: 'string', description: 'What to note' },
        times: { type: 'integer', description: 'How often', default: 1 },
        urgent: { type: 'boolean', description: 'Whether it is urgent', default: false },
        author: { type: 'string', description: 'Who notes it', optional: true },
      },
      run: ({ params, selector, context }) => ({
        ...success('json', { ...params, value: selector.value, url: context?.url ?? null }),
        summary: 'Noted.',
      }),
    }),
    action('gather', {
      ...{ acceptMultiple: true, format: 'markdown' },
      run: ({ selectors }) => success('markdown', selectors.map(({ type, value }) => `${type} ${value}`).join(', ')),
    }),
    action('open', {
      format: 'pivot',
      run: ({ selector }) => {
        const address = `https://example.org/${selector.value}`;
        return { ...success('pivot', address), link: address };
      },
    }),
    action('begin', {
      ...{ acceptEmpty: true, extraSchema: { title: 'Begin' } },
      run: ({ selectors, token }) => success('markdown', `${selectors.length} of ${token}`),
    }),
    action('fail', {
      run: ({ selector }) => {
        failFor(selector);
        return { outcome: 'failure', summary: 'It cannot be done.' };
      },
    }),
  ],
  fetchers: [
    fetcher('text', 'markdown', {
      run: fetched(({ type, value }) => ({ outcome: 'success', format: 'markdown', data: `# ${type} ${value}` })),
    }),
    fetcher('record', 'json', {
      extraData: { version: 1 },
      run: fetched(({ value }) => ({ outcome: 'success', format: 'json', data: { value, nothing: null } })),
    }),
    fetcher('picture', 'image', {
      run: fetched(() => ({
        ...{ outcome: 'success', format: 'image', link: 'https://example.org' },
        data: { image: 'https://example.org/a.png', alt: 'A picture' },
      })),
    }),
    fetcher('state', 'status', {
      run: fetched(() => ({
        ...{ outcome: 'success', format: 'status' },
        data: {
          labels: [
            { language: 'en', label: 'Known' },
            { language: 'fr', label: 'Connu' },
          ],
          color: '#00ff00',
        },
      })),
    }),
  ],
});
