// @ts-check
import { createPlugin, defineAction } from 'triad-plugin';

const SERVICES = new Map([
  ['22', 'SSH'],
  ['443', 'HTTPS'],
]);

const describePort = defineAction({
  id: 'describe_port',
  name: 'Describe the port',
  supportedTypes: ['port'],
  params: { language: { type: 'string', enum: ['en', 'fr'], default: 'en', description: 'Language of the text' } },
  run: ({ selector, params }) => ({
    outcome: 'success',
    format: 'markdown',
    output: `${params.language === 'fr' ? 'Port' : 'The port'} **${selector?.value}**`,
  }),
});

export const plugin = createPlugin({
  name: 'example-name',
  // A classification that the program knows; its demo has UNRESTRICTED and RESTRICTED.
  classification: process.env.CLASSIFICATION ?? 'TLP:CLEAR',
  types: ['port'],
  lookup: (_type, value) => {
    const service = SERVICES.get(value);
    if (service === undefined) return undefined;
    const summary = `Usual port of ${service}`;
    return { annotations: [{ analytic: 'example-name', type: 'context', value: service, confidence: 0.8, summary }] };
  },
  actions: [describePort],
  fetchers: [
    {
      id: 'services',
      description: 'All services that are known',
      format: 'json',
      supportedTypes: ['port'],
      run: () => ({ outcome: 'success', format: 'json', data: Object.fromEntries(SERVICES) }),
    },
  ],
});
