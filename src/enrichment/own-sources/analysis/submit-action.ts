import { isObject } from '../../../json/json-object.ts';
import type { InProcessOperation } from '../../sources/in-process/in-process-source-client.ts';
import type { ServiceClient } from '../../sources/service-client.ts';
import type { SourceCall } from '../../sources/source-client.ts';
import { SourceFailure } from '../../sources/source-failure.ts';
import { textAt } from '../values/held-values.ts';
import type { AnalysisLinks } from './analysis-links.ts';

/** Types that can be submitted, with their names in a submission. */
const KINDS = { url: 'url', md5: 'md5', sha1: 'sha1', sha256: 'sha256' } as const;

const absent = (type: string) => [{ type }, { type: 'null' }];

/** The form of the action: JSON schema of a request (contract/enrichment.md section 3.1). */
const PARAMS = {
  $defs: {
    ActionContextInformation: {
      title: 'ActionContextInformation',
      type: 'object',
      additionalProperties: true,
      properties: {},
    },
    Selector: {
      title: 'Selector',
      type: 'object',
      required: ['type', 'value'],
      properties: {
        type: { title: 'Type', type: 'string' },
        value: { title: 'Value', type: 'string' },
        classification: { title: 'Classification', anyOf: absent('string'), default: null },
        sources: {
          title: 'Sources',
          anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }],
          default: null,
        },
      },
    },
  },
  title: 'Submit',
  type: 'object',
  properties: {
    context: { anyOf: [{ $ref: '#/$defs/ActionContextInformation' }, { type: 'null' }], default: null },
    selector: { anyOf: [{ $ref: '#/$defs/Selector' }, { type: 'null' }], default: null },
    selectors: { title: 'Selectors', type: 'array', items: { $ref: '#/$defs/Selector' }, default: [] },
    profile: {
      title: 'Profile',
      description: 'Submission profile. Users who may not customise submissions have to name one.',
      anyOf: absent('string'),
      default: null,
      order: 1,
    },
    description: { title: 'Description', anyOf: absent('string'), default: null, order: 2 },
    priority: {
      title: 'Priority',
      anyOf: [{ type: 'integer', minimum: 1, maximum: 1500 }, { type: 'null' }],
      default: null,
      order: 3,
    },
    deep_scan: { title: 'Deep scan', type: 'boolean', default: false, order: 4 },
  },
};

/** Submits a URL, or a file that the analysis service knows by its hash, with the caller's own rights. */
export function submitAction(client: ServiceClient, links: AnalysisLinks, classification: string): InProcessOperation {
  const definition = {
    id: 'submit',
    name: 'Submit for analysis',
    summary: 'Submits a URL, or a known file by its hash, to the analysis service.',
    classification,
    supported_types: Object.keys(KINDS),
    action_icon: 'material-symbols:upload-file-outline',
    accept_empty: false,
    accept_multiple: false,
    format: 'markdown',
    params: PARAMS,
  };
  return { definition, run: (input, call) => submit(client, links, input, call) };
}

async function submit(client: ServiceClient, links: AnalysisLinks, input: unknown, call: SourceCall): Promise<object> {
  const request = submissionOf(input);
  if (typeof request === 'string') return { outcome: 'failure', summary: request };
  let submission: unknown;
  try {
    const options = { method: 'POST', body: request, isRepeatable: false } as const;
    submission = await client.ask('/api/v4/submit/', call, options);
  } catch (error) {
    // The refusals of the service are for the user: quotas, unknown profiles, unknown hashes.
    if (!(error instanceof SourceFailure) || error.pluginMessage === undefined) throw error;
    return { outcome: 'failure', summary: error.pluginMessage };
  }
  const sid = textAt(submission, 'sid');
  if (sid === undefined) throw new SourceFailure('unusable', 'the answer to a submission has no identifier');
  const link = links.submission(sid);
  const output = `Submitted as ${link === undefined ? sid : `[${sid}](${link})`}.`;
  const result = { outcome: 'success', summary: `Submitted as ${sid}`, format: 'markdown', output };
  return link === undefined ? result : { ...result, link };
}

/** Returns the body of a submission, or what is wrong with the input of the action. */
function submissionOf(input: unknown): object | string {
  if (!isObject(input)) return 'The request is not an object.';
  const selectors = Array.isArray(input.selectors) ? input.selectors : [];
  const [selector, second] = isObject(input.selector) ? [input.selector, selectors[0]] : selectors;
  if (!isObject(selector)) return 'There is nothing to submit: name a URL or a hash in selector.';
  if (second !== undefined) return 'Submit one value at a time.';
  const { type, value, classification } = selector;
  if (typeof type !== 'string' || !Object.hasOwn(KINDS, type) || typeof value !== 'string' || value === '') {
    return `Only values of the types ${Object.keys(KINDS).join(', ')} can be submitted.`;
  }
  const { profile, description, priority, deep_scan: deepScan } = input;
  const params: Record<string, unknown> = {};
  if (typeof classification === 'string' && classification !== '') params.classification = classification;
  if (typeof description === 'string' && description !== '') params.description = description;
  if (priority !== undefined && priority !== null) {
    if (typeof priority !== 'number' || !Number.isInteger(priority)) return 'The priority is not an integer.';
    params.priority = priority;
  }
  if (deepScan === true) params.deep_scan = true;
  const chosen = typeof profile === 'string' && profile !== '' ? { submission_profile: profile } : {};
  return { [KINDS[type as keyof typeof KINDS]]: value, name: value, params, ...chosen };
}
