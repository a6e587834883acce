import { readFile } from 'node:fs/promises';
import { type AnalyzerRequest, type AnalyzerResult, type ResultSection, section } from '../analyzer.ts';
import { partitionEntropy } from './partition-entropy.ts';

/** Bytes of a URI file that are read. */
const MAX_URI_FILE = 1 << 20;

/** Shows the entropy of a file by partition; of a URI file the parameters of its request. */
export async function characterize(request: AnalyzerRequest): Promise<AnalyzerResult> {
  return { sections: request.file.type.startsWith('uri/') ? await uriParameters(request) : [await entropy(request)] };
}

async function entropy({ path }: AnalyzerRequest): Promise<ResultSection> {
  const { whole, partitions } = await partitionEntropy(path);
  return section(`File entropy: ${decimal(whole)}`, {
    format: 'GRAPH_DATA',
    body: { type: 'colormap', data: { domain: [0, 8], values: partitions } },
    promote: 'ENTROPY',
  });
}

/** At most three decimals and at least one, as the public service writes it. */
function decimal(value: number): string {
  const rounded = String(Number(value.toFixed(3)));
  return rounded.includes('.') ? rounded : `${rounded}.0`;
}

async function uriParameters({ path, file }: AnalyzerRequest): Promise<readonly ResultSection[]> {
  if (file.size > MAX_URI_FILE) return [];
  const { parse } = await import('yaml');
  const content: unknown = parse(await readFile(path, 'utf8'), { maxAliasCount: 0 });
  if (typeof content !== 'object' || content === null) return [];
  const { uri: _uri, headers = {}, ...others } = content as Record<string, unknown>;
  const parameters = [...Object.entries(others), ...Object.entries(headers ?? {})];
  if (parameters.length === 0) return [];
  const scheme = file.type.slice('uri/'.length).toUpperCase();
  return [section(`${scheme} Params`, { format: 'ORDERED_KEY_VALUE', body: parameters, promote: 'URI_PARAMS' })];
}
