const text = (description: string) => ({ type: 'string', description });
const address = (description: string) => ({ type: 'string', format: 'uri', description });
const share = (description: string) => ({ type: 'number', minimum: 0, maximum: 1, description });
const icon = (description: string) => ({ type: 'string', pattern: '^[^:]+:[^:]+$', description });
const list = (name: string, description: string) => ({
  type: 'array',
  items: { $ref: `#/$defs/${name}` },
  default: [],
  description,
});

/** An annotation of a value (contract/enrichment.md section 2.5). */
const ANNOTATION = {
  title: 'Annotation',
  type: 'object',
  description: 'What a source says of a value. Exactly one of `analytic` and `author` says who.',
  properties: {
    analytic: text('Name of the analytic that says it.'),
    author: text('Name of the person who says it.'),
    analytic_icon: icon('Icon of the analytic, `set:name`.'),
    icon: icon('Icon of a context, `set:name`.'),
    quantity: { type: 'integer', default: 1, description: 'How often it was seen.' },
    version: text('Version of the analytic.'),
    timestamp: { type: 'string', format: 'date-time', description: 'When it was said. Default: now.' },
    type: {
      type: 'string',
      enum: ['opinion', 'frequency', 'assessment', 'mitigation', 'context'],
      description: 'What kind of statement it is.',
    },
    value: {
      anyOf: [{ type: 'string' }, { type: 'number' }],
      description:
        'Of an opinion benign, suspicious, malicious or obscure; of a frequency a number; of the other kinds a string.',
    },
    confidence: share('How sure the source is.'),
    severity: share('How bad it is.'),
    priority: { type: 'number', description: 'Order among annotations. Default: from severity and confidence.' },
    summary: text('One line for people, plain text.'),
    details: text('More for people, Markdown.'),
    link: address('Where more can be read.'),
    ubiquitous: { type: 'boolean', default: false, description: 'Shown in a group of its own.' },
    reliability: share('How reliable the source is.'),
  },
  required: ['type', 'value', 'confidence', 'summary'],
};

const QUERY_ENTRY = {
  title: 'QueryEntry',
  type: 'object',
  description: 'One thing that a source knows.',
  properties: {
    classification: text('Who may see it. Default: the lowest classification.'),
    count: { type: 'integer', default: 1, description: 'Matches found.' },
    link: address('Where the source shows it.'),
    annotations: list('Annotation', 'What the source says of the value.'),
    raw_data: { description: 'The answer of the source as it came, when it was asked for.' },
  },
  required: [],
};

/** The JSON schema of the answers of sources, for their authors. */
export const PLUGIN_RESPONSE_SCHEMA = {
  $defs: { Annotation: ANNOTATION, QueryEntry: QUERY_ENTRY },
  properties: {
    type: text('Type of the value.'),
    value: text('The value that was asked for.'),
    source: text('Name of the source.'),
    error: text('Why the source has no answer.'),
    items: list('QueryEntry', 'What the source knows.'),
    maintainer: text('Who looks after the source, `Name <address>`.'),
    datahub_link: address('Where the data of the source is described.'),
    documentation_link: address('Where the source is documented.'),
    latency: { type: 'number', default: 0, description: 'Milliseconds that the source took.' },
  },
  required: ['type', 'value', 'source'],
  title: 'QueryResult',
  type: 'object',
};
