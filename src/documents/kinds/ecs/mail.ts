import { date, email, group, integer, ip, keyword } from '../../schema/field-builders.ts';
import { hashes } from './files.ts';

const address = group('Address', 'E-mail address.', { address: email('The address.') });

const attachedFile = group('File', 'Attached file.', {
  extension: keyword('Extension, without the dot.').optional(),
  hash: hashes.optional(),
  mime_type: keyword('Media type.').optional(),
  name: keyword('Name with extension.').optional(),
  size: integer('Size in bytes.').optional(),
});

const attachment = group('Attachment', 'Attachment.', { file: attachedFile.optional() });

const parentMail = group('ParentEmail', 'Message that this one was attached to.', {
  bcc: address.optional(),
  cc: address.optional(),
  from: address.optional(),
  message_id: keyword('Identifier in the message’s header.').optional(),
  origination_timestamp: date('When it was written.').optional(),
  subject: keyword('Subject.').optional(),
  to: address.optional(),
  source: ip('Address that it was sent from.').optional(),
  destination: ip('Address that it was sent to.').optional(),
});

export const mail = group('Email', 'E-mail message.', {
  attachments: attachment.list().optional(),
  bcc: address.optional(),
  cc: address.optional(),
  content_type: keyword('Media type of the message.').optional(),
  delivery_timestamp: date('When it was delivered.').optional(),
  direction: keyword('Direction seen from the mail server.').optional(),
  from: address.optional(),
  local_id: keyword('Identifier that the mail system gave it.').optional(),
  message_id: keyword('Identifier in the message’s header.').optional(),
  origination_timestamp: date('When it was written.').optional(),
  reply_to: address.optional(),
  sender: address.optional(),
  subject: keyword('Subject.').optional(),
  to: address.optional(),
  x_mailer: keyword('Program that it was written with.').optional(),
  parent: parentMail.optional(),
});
