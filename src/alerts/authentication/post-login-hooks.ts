import type { AvatarService } from '../../identity/accounts/avatar-service.ts';
import type { IdentityLog } from '../../identity/identity-log.ts';
import type { ProviderArrival } from '../../identity/oauth/code-login.ts';
import type { ProviderRegistry } from '../../identity/oauth/provider-registry.ts';
import type { ProviderResources } from '../../identity/obo/provider-resources.ts';
import type { ViewService } from '../saved-objects/view-service.ts';

export interface PostLoginDependencies {
  readonly views: Pick<ViewService, 'ensureAssignedToMe'>;
  readonly avatars: AvatarService;
  readonly resources: Pick<ProviderResources, 'pictureOf'>;
  readonly registry: ProviderRegistry;
  readonly log: IdentityLog;
}

/** Addresses and pictures that an image of a page can show. */
const PICTURE = /^(?:https?:\/\/[^\s"'<>]+|data:image\/[a-z0-9.+-]+;base64,[A-Za-z0-9+/=]+)$/i;

/** Gives users of a provider a picture and the view of their alerts (contract/alert.md section 2.4). */
export class PostLoginHooks {
  readonly #dependencies: PostLoginDependencies;

  constructor(dependencies: PostLoginDependencies) {
    this.#dependencies = dependencies;
  }

  /** Runs the hooks. A failure is logged and does not prevent the login. */
  async run(arrival: ProviderArrival): Promise<void> {
    const { uname } = arrival.user;
    await this.#trying(uname, 'view of what is assigned to them', () =>
      this.#dependencies.views.ensureAssignedToMe(uname),
    );
    await this.#trying(uname, 'picture', () => this.#keepPicture(arrival));
  }

  /** Their own picture stays, unless the settings keep accounts as the provider has them. */
  async #keepPicture({ user, profile, token }: ProviderArrival): Promise<void> {
    const { avatars, resources, registry } = this.#dependencies;
    const { pictureFrom } = profile;
    const present = await avatars.recentPicture(user.uname);
    const replaces = pictureFrom !== 'gravatar' && registry.find(token.provider)?.settings.auto_sync === true;
    if (present !== undefined && !replaces) return;
    // Other addresses are left to browsers: the service asks no one whom a token names.
    const picture = pictureFrom === 'address' ? await resources.pictureOf(token, user.uname) : profile.picture;
    if (picture !== undefined && picture !== present && PICTURE.test(picture)) await avatars.set(user.uname, picture);
  }

  async #trying(user: string, what: string, make: () => Promise<void>): Promise<void> {
    try {
      await make();
    } catch (error) {
      this.#dependencies.log.warn({ user, err: error }, `the ${what} of ${user} could not be made`);
    }
  }
}
