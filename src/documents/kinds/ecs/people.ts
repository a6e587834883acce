import { email, group, keyword } from '../../schema/field-builders.ts';

export const userGroup = group('Group', 'Group of users.', {
  domain: keyword('Directory or domain that the group belongs to.').optional(),
  id: keyword('Identifier of the group.').optional(),
  name: keyword('Name of the group.').optional(),
});

export const account = group('User', 'User account.', {
  domain: keyword('Directory or domain that the account belongs to.').optional(),
  email: email('E-mail address of the user.').optional(),
  full_name: keyword('Full name of the user.').optional(),
  group: userGroup.optional(),
  hash: keyword('Hash that stands for the user where the name must not be known.').optional(),
  id: keyword('Identifier of the account.').optional(),
  name: keyword('Name the user signs in with.').optional(),
  roles: keyword('Roles of the user at the time.').list().default([]).optional(),
});

export const shortAccount = group('ShortUser', 'User account of a process.', {
  id: keyword('Identifier of the account.').optional(),
  name: keyword('Name the user signs in with.').optional(),
  domain: keyword('Directory or domain that the account belongs to.').optional(),
  email: email('E-mail address of the user.').optional(),
});

export const organization = group('Organization', 'Organization that the record belongs to.', {
  id: keyword('Identifier of the organization.').optional(),
  name: keyword('Name of the organization.'),
});
