import { createPlugin } from 'triad-plugin';

// Answers as the example plugin of the public system.
const ICON = 'fluent-color:checkmark-circle-16';
const LINK = 'https://example.com';

export const plugin = createPlugin({
  name: 'test-plugin',
  classification: 'TLP:CLEAR',
  types: 'ipv4,ipv6,domain,url,email_address',
  lookup: (type, value) => ({
    link: LINK,
    annotations: [
      {
        analytic: 'Test Plugin',
        ...{ analytic_icon: ICON, icon: ICON, link: LINK },
        ...{ type: 'context', value, confidence: 1 },
        details: `\n# Test Enrichment\n\nType: ${type}\n\nValue: ${value}\n`,
        summary: `Test Enrichment - type: ${type}, value: ${value}`,
      },
    ],
  }),
});
