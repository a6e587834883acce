import { Type } from 'typebox';
import type { RouteModule } from '../../http/route-access.ts';
import { ANY_CALLER } from '../any-caller.ts';
import { MAX_SELECTORS } from './extract-selectors.ts';
import { type ExtractionService, MAX_TEXT_BYTES } from './extraction-service.ts';

const TextBody = Type.Object({
  text: Type.String({
    description: `Up to ${MAX_TEXT_BYTES} bytes: a log, a report, a mail.`,
    examples: ['Traffic from 203.0.113.7:443 to hxxps://login.example[.]org/a (version 1.2.3.4)'],
  }),
});

const SelectorsReply = Type.Array(
  Type.Object({
    type: Type.String({ description: 'Type of the value, such as `ipv4`, `domain`, `cve` or `attack_id`.' }),
    value: Type.String({ description: 'The value without defanging.' }),
    start: Type.Integer({ description: 'Place in the text, in UTF-16 code units.' }),
    end: Type.Integer({ description: 'First place after it.' }),
    port: Type.Optional(Type.Integer({ description: 'Port after an address.' })),
    prefix: Type.Optional(Type.Integer({ description: 'Prefix length of an address that is written as a network.' })),
    reserved: Type.Optional(
      Type.String({ description: 'Purpose of the network of an address that is not public, such as `private`.' }),
    ),
  }),
  { description: 'In the order of the text, each once.' },
);

/** Serves `/api/v1/lookup/extract`: the selectors in text. */
export const extractionRoutes =
  ({ extraction }: { extraction: ExtractionService }): RouteModule =>
  (app) => {
    app.addHook('onClose', () => extraction.close());
    app.post(
      '/api/v1/lookup/extract',
      {
        access: ANY_CALLER,
        schema: {
          tags: ['lookup'],
          summary: 'Selectors in text',
          description:
            'Finds addresses, domains, URLs, e-mail addresses, hashes, CVE and ATT&CK identifiers, also defanged ones.',
          body: TextBody,
          response: { 200: SelectorsReply },
          refusals: [413],
        },
      },
      async ({ body, actor }, reply) => {
        const found = await extraction.extract(body.text, actor);
        if (found.length >= MAX_SELECTORS)
          reply.warn(`The text holds more: only the first ${MAX_SELECTORS} are listed.`);
        return found;
      },
    );
  };
