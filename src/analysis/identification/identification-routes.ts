import { Type } from 'typebox';
import type { RouteModule } from '../../http/route-access.ts';
import { flag } from '../../input/input-kinds.ts';
import { operation, Success } from '../operations/analysis-operation.ts';
import { ADMINISTER } from '../system/system-routes.ts';
import { IDENTIFICATION_TEXTS, type IdentificationTextName, type IdentificationTexts } from './identification-texts.ts';

const DefaultQuery = Type.Object({
  default: flag({ description: 'The text that comes with the program.', empty: true }),
});
const WORDS: Readonly<
  Record<IdentificationTextName, { readonly name: string; readonly what: string; readonly example: string }>
> = {
  magic: {
    name: 'custom_magic_file',
    what: 'rules for first bytes, as magic(5)',
    example: '0\tstring\tFOO1\tcustom: archive/zip',
  },
  mimes: {
    name: 'trusted_mimetypes',
    what: 'kinds of files by media type, as YAML',
    example: 'application/zip: archive/zip',
  },
  patterns: {
    name: 'magic_patterns',
    what: 'patterns for labels of libmagic, as YAML',
    example: '- al_type: archive/zip\n  regex: ^zip archive data',
  },
  yara: {
    name: 'custom_yara_file',
    what: 'YARA rules for kinds of files',
    example: 'rule code_c { meta: type = "code/c" condition: false }',
  },
};

/** Serves the texts by which files are identified (contract/analysis.md sections 6 and 7.7). */
export const identificationRoutes =
  ({ texts }: { readonly texts: IdentificationTexts }): RouteModule =>
  (app) => {
    for (const text of IDENTIFICATION_TEXTS) {
      const { name, what, example } = WORDS[text];
      app.get(
        `/api/v4/system/identify/${text}/`,
        {
          access: ADMINISTER,
          schema: operation(`system_get_identify_${name}`, `Get ${what}`, {
            querystring: DefaultQuery,
            reply: Type.String(),
          }),
        },
        ({ query }) => texts.get(text, query.default),
      );
      app.put(
        `/api/v4/system/identify/${text}/`,
        {
          access: ADMINISTER,
          schema: operation(`system_put_identify_${name}`, `Replace ${what}`, {
            body: Type.Union([Type.String(), Type.Null()], {
              description: 'The text as a JSON string; null: the one that comes with the program.',
              examples: [example],
            }),
            reply: Success,
            refusals: [413],
          }),
          refusal: { success: false },
        },
        ({ body }) => texts.set(text, body),
      );
    }
  };
