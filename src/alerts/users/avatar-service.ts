import { createHash } from 'node:crypto';
import type { Collection } from '../../datastore/collection.ts';
import { unrestricted } from '../../datastore/read-access.ts';
import { readDocument } from '../../documents/read-document.ts';
import { type UserAvatar, userAvatarDocument } from '../../documents/user-avatar.ts';
import { InvalidInput } from '../../errors/errors.ts';

export interface Avatar {
  /** A data URI or an address. */
  readonly picture: string;
  /** SHA-256 of `picture` in hex. */
  readonly digest: string;
}

/** A data URI of a picture of about 1.5 MB. */
const MAX_LENGTH = 2_000_000;
const ACCESS = unrestricted('pictures are shown to everybody who may log in');

/** The pictures of users. */
export class AvatarService {
  readonly #avatars: Collection<UserAvatar>;

  constructor(parts: { avatars: Collection<UserAvatar> }) {
    this.#avatars = parts.avatars;
  }

  async get(username: string): Promise<Avatar | undefined> {
    const stored = await this.#avatars.get(username, ACCESS);
    const picture = stored?.__non_doc_raw__;
    if (!picture) return undefined;
    return { picture, digest: createHash('sha256').update(picture).digest('hex') };
  }

  /** @throws InvalidInput `invalid_avatar`, when it is no text, empty or longer than 2,000,000 characters */
  async set(username: string, picture: unknown): Promise<void> {
    if (typeof picture !== 'string' || picture === '' || picture.length > MAX_LENGTH) {
      throw new InvalidInput(
        'invalid_avatar',
        `A picture is a data URI or an address, a text of at most ${MAX_LENGTH} characters.`,
        { at: 'avatar' },
      );
    }
    const { document } = readDocument(userAvatarDocument, { __non_doc_raw__: picture }, { unknown: 'refuse' });
    await this.#avatars.save(username, document, { visible: 'now' });
  }

  async delete(username: string): Promise<void> {
    await this.#avatars.delete(username, { visible: 'now' });
  }
}
