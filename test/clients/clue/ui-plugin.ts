import { createPlugin, defineAction, type Fetcher, type FetcherResult } from '../../../sdk/plugin/src/index.js';

const supportedTypes = ['ipv4', 'domain', 'url', 'sha256'];
/** One pixel. */
const PICTURE = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>')}`;

const fetcher = (id: string, format: string, data: unknown): Fetcher => ({
  ...{ id, format, supportedTypes, description: `A ${id}` },
  run: (): FetcherResult => ({ outcome: 'success', format, data }),
});

const note = defineAction({
  ...{ id: 'note', name: 'Note it', supportedTypes, format: 'markdown', summary: 'Notes what you say' },
  params: { comment: { type: 'string', description: 'What to note', order: 1 } },
  run: ({ selector, params }) => ({
    ...{ outcome: 'success', format: 'markdown', summary: 'Noted.' },
    output: `Noted of ${selector?.value}: **${params.comment}**`,
  }),
});

/** Returns a plugin of our SDK with something of everything that the pages show. */
export function uiPlugin(classification: string) {
  return createPlugin({
    ...{ name: 'lab', classification, types: supportedTypes, cache: false },
    lookup: (type, value) => ({
      link: 'https://example.org/found',
      annotations: [
        {
          ...{ analytic: 'Lab', type: 'opinion', value: 'malicious', confidence: 1, severity: 0.9 },
          ...{ summary: `The lab knows ${value}`, details: `# ${type}\n\nSeen **often**.` },
        },
        { author: 'Ann', type: 'context', value: 'Example network', confidence: 0.5, summary: 'Belongs to Example' },
      ],
    }),
    actions: [note],
    fetchers: [
      fetcher('text', 'markdown', '# A heading of the lab'),
      fetcher('record', 'json', { colour: 'green' }),
      fetcher('picture', 'image', { image: PICTURE, alt: 'A picture of the lab' }),
      fetcher('state', 'status', {
        labels: [
          { language: 'en', label: 'Known to the lab' },
          { language: 'fr', label: 'Connu du labo' },
        ],
        color: '#00aa00',
      }),
      fetcher('family_graph', 'graph', {
        id: 'family',
        metadata: { type: 'nested' },
        data: [[{ id: 'Parent', edges: ['Child'] }], [{ id: 'Child', edges: ['Parent'] }]],
      }),
      {
        ...{ id: 'failing', format: 'markdown', supportedTypes, description: 'Fails' },
        run: () => ({ outcome: 'failure', error: 'The lab is closed.' }),
      },
    ],
  });
}
