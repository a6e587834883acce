import { createHash } from 'node:crypto';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { RecentDocuments } from '../../datastore/port/recent-documents.ts';
import { type UserAvatar, userAvatarDocument } from '../../documents/kinds/user-records.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { InvalidInput } from '../../errors/errors.ts';

/** A data URI of a picture of about 1.5 MB. */
const MAX_LENGTH = 2_000_000;
const ACCESS = unrestricted('pictures are shown to all users');

/** Stores the pictures of users. */
export class AvatarService {
  readonly #avatars: Collection<UserAvatar>;

  readonly #recent: RecentDocuments<UserAvatar>;

  constructor(parts: { avatars: Collection<UserAvatar> }) {
    this.#avatars = parts.avatars;
    this.#recent = new RecentDocuments({ collection: parts.avatars, access: ACCESS });
  }

  /** Returns the picture with its SHA-256 in hex, if there is one. */
  async get(username: string) {
    const picture = await this.recentPicture(username);
    return picture === undefined ? undefined : { picture, digest: createHash('sha256').update(picture).digest('hex') };
  }

  /** Returns a data URI or an address, as of at most a second ago. */
  async recentPicture(username: string): Promise<string | undefined> {
    return (await this.#recent.get(username))?.__non_doc_raw__ || undefined;
  }

  /** Stores a picture. @throws InvalidInput `invalid_avatar`: empty or longer than 2,000,000 characters */
  async set(username: string, picture: unknown): Promise<void> {
    if (typeof picture !== 'string' || picture === '' || picture.length > MAX_LENGTH) {
      throw new InvalidInput(
        'invalid_avatar',
        `A picture is a data URI or an address, a string of at most ${MAX_LENGTH} characters.`,
        { at: 'avatar' },
      );
    }
    const { document } = readDocument(userAvatarDocument, { __non_doc_raw__: picture }, { unknown: 'refuse' });
    await this.#recent.writing(username, () => this.#avatars.save(username, document, { visible: 'now' }));
  }

  async delete(username: string): Promise<void> {
    await this.#recent.writing(username, () => this.#avatars.delete(username, { visible: 'now' }));
  }
}
