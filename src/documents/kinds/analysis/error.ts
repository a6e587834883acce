import { defineDocument } from '../../schema/document-definition.ts';
import { dateNow, enumeration, group, keyword, sha256, text } from '../../schema/field-builders.ts';
import { archiveTime, expiry } from './parts.ts';

/** Types of errors with the number at the end of their keys. */
export const ERROR_TYPE_CODES = {
  UNKNOWN: 0,
  EXCEPTION: 1,
  'MAX DEPTH REACHED': 10,
  'MAX FILES REACHED': 11,
  'MAX RETRY REACHED': 12,
  'SERVICE BUSY': 20,
  'SERVICE DOWN': 21,
  'TASK PRE-EMPTED': 30,
} as const;

export type ErrorType = keyof typeof ERROR_TYPE_CODES;

const ERROR_TYPES = Object.keys(ERROR_TYPE_CODES) as [ErrorType, ...ErrorType[]];

export const ERROR_STATUSES = ['FAIL_NONRECOVERABLE', 'FAIL_RECOVERABLE'] as const;
export const ERROR_SEVERITIES = ['error', 'warning'] as const;

const response = group('ErrorResponse', 'The failure of the service.', {
  message: text('What went wrong.').copyToText(),
  service_debug_info: keyword('Where the service ran.').optional(),
  service_name: keyword('Name of the service.').copyToText(),
  service_tool_version: keyword('Version of the tools of the service.').optional().copyToText(),
  service_version: keyword('Version of the service.'),
  status: enumeration('Whether another try may help.', ERROR_STATUSES),
});

export const errorDocument = defineDocument({
  name: 'error',
  title: 'ErrorRecord',
  description: 'A failure of a service.',
  expiryField: 'expiry_ts',
  defaultSort: [{ field: 'created', order: 'desc' }],
  takesSingleValues: true,
  identifierInText: true,
  fields: {
    archive_ts: archiveTime,
    created: dateNow('When it was made.'),
    expiry_ts: expiry,
    response,
    sha256: sha256('SHA-256 of the file.').copyToText(),
    type: enumeration('Kind of error.', ERROR_TYPES).default('EXCEPTION'),
    severity: enumeration('How bad it is.', ERROR_SEVERITIES).default('error'),
  },
});

export type ErrorRecord = typeof errorDocument.Type;
