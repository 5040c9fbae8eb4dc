/** Written by `octavo types` from the schema of the project. Write it again rather than change it. */

/** A numeric id or a documentId. */
export type Id = number | string

/** A document: its documentId, its numeric id, or an object with one of them. */
export type Reference = Id | { id: Id } | { documentId: string }

/** Where a connected document goes: exactly one of these. */
export type Position =
  | { before: Id; after?: never; start?: never; end?: never }
  | { after: Id; before?: never; start?: never; end?: never }
  | { start: true; before?: never; after?: never; end?: never }
  | { end: true; before?: never; after?: never; start?: never }

/** A document to connect, at the end unless a position is given. */
export type Connect =
  | Reference
  | { id: Id; position?: Position }
  | { documentId: string; position?: Position }

/** Adds and removes some, and keeps the others. */
export interface RelationChange {
  connect?: Connect[]
  disconnect?: Reference[]
  set?: never
}

/** Replaces all, in this order. */
export interface RelationSet {
  set: Reference[]
  connect?: never
  disconnect?: never
}

export type ToOneInput = Reference | RelationChange | RelationSet | null

export type ToManyInput = Reference[] | RelationChange | RelationSet | null

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

export interface InlineText {
  type: 'text'
  text: string
  bold?: boolean
  italic?: boolean
  underline?: boolean
  strikethrough?: boolean
  code?: boolean
}

export interface InlineLink {
  type: 'link'
  url: string
  children: Inline[]
}

export type Inline = InlineText | InlineLink

export interface ListItem {
  type: 'list-item'
  children: Inline[]
}

export interface BlockList {
  type: 'list'
  format: 'ordered' | 'unordered'
  children: (ListItem | BlockList)[]
}

export interface BlockImage {
  type: 'image'
  image: { url: string; alternativeText?: string | null; [key: string]: Json | undefined }
  children?: Inline[]
}

export type Block =
  | { type: 'paragraph' | 'quote' | 'code'; children: Inline[] }
  | { type: 'heading'; level: 1 | 2 | 3 | 4 | 5 | 6; children: Inline[] }
  | BlockList
  | BlockImage

/** Rich text in blocks. */
export type Blocks = Block[]

/** A smaller copy of a picture. */
export interface FileFormat {
  name: string
  hash: string
  ext: string
  mime: string
  path: string | null
  width: number
  height: number
  size: number
  sizeInBytes: number
  url: string
}

/** A document of any content-type. */
export type MorphReference =
  | { __type: keyof EveryType; id: Id }
  | { __type: keyof EveryType; documentId: string }

export type MorphConnect = MorphReference & { position?: Position }

export type MorphInput =
  | MorphReference[]
  | { connect?: MorphConnect[]; disconnect?: MorphReference[]; set?: never }
  | { set: MorphReference[]; connect?: never; disconnect?: never }
  | null

/** Every content-type by its uid, as polymorphic relations name them. */
export interface EveryType {
  'api::account.account': AccountType
  'api::article.article': ArticleType
  'api::banner.banner': BannerType
  'api::category.category': CategoryType
  'api::chef.chef': ChefType
  'api::comment.comment': CommentType
  'api::dish.dish': DishType
  'api::homepage.homepage': HomepageType
  'api::person.person': PersonType
  'api::restaurant.restaurant': RestaurantType
  'api::review.review': ReviewType
  'api::setting.setting': SettingType
  'api::tag.tag': TagType
}

/** Account (as it is once published). */
export interface Account {
  id: number
  documentId: string
  login: string
  plan: 'free' | 'pro' | 'team'
  createdAt: string
  updatedAt: string
  publishedAt: string
}

/** The data of account as bodies take it; null clears. */
export interface AccountInput {
  login?: string | null
  secret?: string | null
  api_key?: string | null
  recovery?: string | null
  plan?: 'free' | 'pro' | 'team' | null
  owner?: ToOneInput
  holder?: ToOneInput
}

/** How the client knows Account. */
export interface AccountType {
  fields: Account
  attributes: {
    id: 'id'
    documentId: 'string'
    login: 'string'
    plan: 'enumeration'
    createdAt: 'datetime'
    updatedAt: 'datetime'
    publishedAt: 'datetime'
  }
  links: {
    holder: { toOne: PersonType }
  }
  required: 'login'
  input: AccountInput
  drafts: false
}

/** Article (as it is once published). */
export interface Article {
  id: number
  documentId: string
  title: string
  body: string | null
  views: number | null
  createdAt: string
  updatedAt: string
  publishedAt: string
  locale: string
}

/** The data of article as bodies take it; null clears. */
export interface ArticleInput {
  title?: string | null
  body?: string | null
  views?: number | null
  tags?: ToManyInput
  related_dish?: ToOneInput
}

/** How the client knows Article. */
export interface ArticleType {
  fields: Article
  attributes: {
    id: 'id'
    documentId: 'string'
    title: 'string'
    body: 'text'
    views: 'integer'
    createdAt: 'datetime'
    updatedAt: 'datetime'
    publishedAt: 'datetime'
    locale: 'string'
  }
  links: {
    tags: { toMany: TagType }
    related_dish: { toOne: DishType }
    localizations: { toMany: ArticleType }
  }
  required: 'title'
  input: ArticleInput
  drafts: true
}

/** Banner (as it is once published). */
export interface Banner {
  id: number
  documentId: string
  message: string
  priority: number | null
  createdAt: string
  updatedAt: string
  publishedAt: string
  locale: string
}

/** The data of banner as bodies take it; null clears. */
export interface BannerInput {
  message?: string | null
  priority?: number | null
  seo?: SharedSeoInput | null
  dishes?: ToManyInput
}

/** How the client knows Banner. */
export interface BannerType {
  fields: Banner
  attributes: {
    id: 'id'
    documentId: 'string'
    message: 'string'
    priority: 'integer'
    createdAt: 'datetime'
    updatedAt: 'datetime'
    publishedAt: 'datetime'
    locale: 'string'
  }
  links: {
    seo: { component: SharedSeoType }
    dishes: { toMany: DishType }
    localizations: { toMany: BannerType }
  }
  required: 'message'
  input: BannerInput
  drafts: true
}

/** Category (as it is once published). */
export interface Category {
  id: number
  documentId: string
  name: string
  code: string | null
  rank: number | null
  note: string | null
  createdAt: string
  updatedAt: string
  publishedAt: string
}

/** The data of category as bodies take it; null clears. */
export interface CategoryInput {
  name?: string | null
  code?: string | null
  rank?: number | null
  note?: string | null
  parent?: ToOneInput
  children?: ToManyInput
  restaurants?: ToManyInput
}

/** How the client knows Category. */
export interface CategoryType {
  fields: Category
  attributes: {
    id: 'id'
    documentId: 'string'
    name: 'string'
    code: 'uid'
    rank: 'integer'
    note: 'text'
    createdAt: 'datetime'
    updatedAt: 'datetime'
    publishedAt: 'datetime'
  }
  links: {
    parent: { toOne: CategoryType }
    children: { toMany: CategoryType }
    restaurants: { toMany: RestaurantType }
  }
  required: 'name'
  input: CategoryInput
  drafts: false
}

/** Chef (as it is once published). */
export interface Chef {
  id: number
  documentId: string
  name: string
  bio: string | null
  born: string | null
  email: string | null
  awards: number | null
  createdAt: string
  updatedAt: string
  publishedAt: string
}

/** The data of chef as bodies take it; null clears. */
export interface ChefInput {
  name?: string | null
  bio?: string | null
  born?: string | null
  email?: string | null
  awards?: number | null
  salary?: number | null
  portrait?: Reference | null
  restaurants?: ToManyInput
  signature_dishes?: ToManyInput
  mentor?: ToOneInput
  apprentices?: ToManyInput
}

/** How the client knows Chef. */
export interface ChefType {
  fields: Chef
  attributes: {
    id: 'id'
    documentId: 'string'
    name: 'string'
    bio: 'richtext'
    born: 'date'
    email: 'email'
    awards: 'integer'
    createdAt: 'datetime'
    updatedAt: 'datetime'
    publishedAt: 'datetime'
  }
  links: {
    portrait: { file: MediaFileType }
    restaurants: { toMany: RestaurantType }
    signature_dishes: { toMany: DishType }
    mentor: { toOne: ChefType }
    apprentices: { toMany: ChefType }
  }
  required: 'name'
  input: ChefInput
  drafts: true
}

/** Comment (as it is once published). */
export interface Comment {
  id: number
  documentId: string
  text: string
  approved: boolean | null
  createdAt: string
  updatedAt: string
  publishedAt: string
}

/** The data of comment as bodies take it; null clears. */
export interface CommentInput {
  text?: string | null
  approved?: boolean | null
}

/** How the client knows Comment. */
export interface CommentType {
  fields: Comment
  attributes: {
    id: 'id'
    documentId: 'string'
    text: 'text'
    approved: 'boolean'
    createdAt: 'datetime'
    updatedAt: 'datetime'
    publishedAt: 'datetime'
  }
  links: {
    subject: { morphOne: EveryType }
  }
  required: 'text'
  input: CommentInput
  drafts: false
}

/** Dish (as it is once published). */
export interface Dish {
  id: number
  documentId: string
  name: string
  price: number | null
  calories: number | null
  spicy: boolean | null
  served_from: string | null
  allergens: Json
  course: 'starter' | 'main' | 'dessert' | null
  createdAt: string
  updatedAt: string
  publishedAt: string
}

/** The data of dish as bodies take it; null clears. */
export interface DishInput {
  name?: string | null
  price?: number | null
  calories?: number | null
  spicy?: boolean | null
  served_from?: string | null
  allergens?: Json
  course?: 'starter' | 'main' | 'dessert' | null
  category?: ToOneInput
  chef?: ToOneInput
  photo?: Reference | null
  comments?: ToManyInput
}

/** How the client knows Dish. */
export interface DishType {
  fields: Dish
  attributes: {
    id: 'id'
    documentId: 'string'
    name: 'string'
    price: 'decimal'
    calories: 'integer'
    spicy: 'boolean'
    served_from: 'time'
    allergens: 'json'
    course: 'enumeration'
    createdAt: 'datetime'
    updatedAt: 'datetime'
    publishedAt: 'datetime'
  }
  links: {
    category: { toOne: CategoryType }
    chef: { toOne: ChefType }
    photo: { file: MediaFileType }
    comments: { toMany: CommentType }
  }
  required: 'name'
  input: DishInput
  drafts: false
}

/** Homepage (as it is once published). */
export interface Homepage {
  id: number
  documentId: string
  headline: string
  version: number | null
  createdAt: string
  updatedAt: string
  publishedAt: string
  locale: string
}

/** The data of homepage as bodies take it; null clears. */
export interface HomepageInput {
  headline?: string | null
  version?: number | null
  seo?: SharedSeoInput | null
  featured?: ToManyInput
  zone?:
    | ((BlockQuoteInput & { __component: 'block.quote' }) | (BlockFaqInput & { __component: 'block.faq' }))[]
    | null
}

/** How the client knows Homepage. */
export interface HomepageType {
  fields: Homepage
  attributes: {
    id: 'id'
    documentId: 'string'
    headline: 'string'
    version: 'integer'
    createdAt: 'datetime'
    updatedAt: 'datetime'
    publishedAt: 'datetime'
    locale: 'string'
  }
  links: {
    seo: { component: SharedSeoType }
    featured: { toMany: RestaurantType }
    zone: {
      zone: {
        'block.quote': BlockQuoteType
        'block.faq': BlockFaqType
      }
    }
    localizations: { toMany: HomepageType }
  }
  required: 'headline'
  input: HomepageInput
  drafts: true
}

/** Person (as it is once published). */
export interface Person {
  id: number
  documentId: string
  first_name: string
  last_name: string | null
  age: number | null
  height: number | null
  createdAt: string
  updatedAt: string
  publishedAt: string
}

/** The data of person as bodies take it; null clears. */
export interface PersonInput {
  first_name?: string | null
  last_name?: string | null
  age?: number | null
  height?: number | null
  managed_restaurant?: ToOneInput
  account?: ToOneInput
  favourites?: ToManyInput
  home?: PlaceAddressInput | null
}

/** How the client knows Person. */
export interface PersonType {
  fields: Person
  attributes: {
    id: 'id'
    documentId: 'string'
    first_name: 'string'
    last_name: 'string'
    age: 'integer'
    height: 'float'
    createdAt: 'datetime'
    updatedAt: 'datetime'
    publishedAt: 'datetime'
  }
  links: {
    managed_restaurant: { toOne: RestaurantType }
    account: { toOne: AccountType }
    favourites: { toMany: DishType }
    home: { component: PlaceAddressType }
  }
  required: 'first_name'
  input: PersonInput
  drafts: false
}

/** Restaurant (as it is once published). */
export interface Restaurant {
  id: number
  documentId: string
  name: string
  slug: string | null
  description: Blocks | null
  story: string | null
  stars: number | null
  cuisine: 'italian' | 'french' | 'japanese' | 'mexican' | 'fusion' | null
  average_price: number | null
  rating: number | null
  visitors: string | null
  opened_on: string | null
  opens_at: string | null
  last_inspection: string | null
  is_open: boolean | null
  contact_email: string | null
  extra: Json
  registration_code: string | null
  phone: string | null
  createdAt: string
  updatedAt: string
  publishedAt: string
  locale: string
}

/** The data of restaurant as bodies take it; null clears. */
export interface RestaurantInput {
  name?: string | null
  slug?: string | null
  description?: Blocks | null
  story?: string | null
  stars?: number | null
  cuisine?: 'italian' | 'french' | 'japanese' | 'mexican' | 'fusion' | null
  average_price?: number | null
  rating?: number | null
  visitors?: string | number | null
  opened_on?: string | null
  opens_at?: string | null
  last_inspection?: string | Date | null
  is_open?: boolean | null
  contact_email?: string | null
  internal_notes?: string | null
  extra?: Json
  registration_code?: string | null
  phone?: string | null
  cover?: Reference | null
  gallery?: Reference[] | null
  categories?: ToManyInput
  chef?: ToOneInput
  manager?: ToOneInput
  headquarters?: ToOneInput
  branches?: ToManyInput
  address?: PlaceAddressInput | null
  seo?: SharedSeoInput | null
  menu?: MenuSectionInput[] | null
  zone?:
    | (
        | (BlockQuoteInput & { __component: 'block.quote' })
        | (BlockDishHighlightInput & { __component: 'block.dish-highlight' })
        | (BlockMediaStripInput & { __component: 'block.media-strip' })
        | (BlockFaqInput & { __component: 'block.faq' })
      )[]
    | null
}

/** How the client knows Restaurant. */
export interface RestaurantType {
  fields: Restaurant
  attributes: {
    id: 'id'
    documentId: 'string'
    name: 'string'
    slug: 'uid'
    description: 'blocks'
    story: 'richtext'
    stars: 'integer'
    cuisine: 'enumeration'
    average_price: 'decimal'
    rating: 'float'
    visitors: 'biginteger'
    opened_on: 'date'
    opens_at: 'time'
    last_inspection: 'datetime'
    is_open: 'boolean'
    contact_email: 'email'
    extra: 'json'
    registration_code: 'string'
    phone: 'string'
    createdAt: 'datetime'
    updatedAt: 'datetime'
    publishedAt: 'datetime'
    locale: 'string'
  }
  links: {
    cover: { file: MediaFileType }
    gallery: { files: MediaFileType }
    categories: { toMany: CategoryType }
    chef: { toOne: ChefType }
    manager: { toOne: PersonType }
    headquarters: { toOne: RestaurantType }
    branches: { toMany: RestaurantType }
    address: { component: PlaceAddressType }
    seo: { component: SharedSeoType }
    menu: { components: MenuSectionType }
    zone: {
      zone: {
        'block.quote': BlockQuoteType
        'block.dish-highlight': BlockDishHighlightType
        'block.media-strip': BlockMediaStripType
        'block.faq': BlockFaqType
      }
    }
    localizations: { toMany: RestaurantType }
  }
  required: 'name'
  input: RestaurantInput
  drafts: true
}

/** Review (as it is once published). */
export interface Review {
  id: number
  documentId: string
  title: string
  body: string | null
  score: number
  visited_at: string | null
  createdAt: string
  updatedAt: string
  publishedAt: string
}

/** The data of review as bodies take it; null clears. */
export interface ReviewInput {
  title?: string | null
  body?: string | null
  score?: number | null
  visited_at?: string | Date | null
  restaurant?: ToOneInput
  dishes?: ToManyInput
  author?: ToOneInput
}

/** How the client knows Review. */
export interface ReviewType {
  fields: Review
  attributes: {
    id: 'id'
    documentId: 'string'
    title: 'string'
    body: 'text'
    score: 'integer'
    visited_at: 'datetime'
    createdAt: 'datetime'
    updatedAt: 'datetime'
    publishedAt: 'datetime'
  }
  links: {
    restaurant: { toOne: RestaurantType }
    dishes: { toMany: DishType }
    author: { toOne: UserType }
  }
  required: 'title' | 'score'
  input: ReviewInput
  drafts: false
}

/** Setting (as it is once published). */
export interface Setting {
  id: number
  documentId: string
  site_name: string
  maintenance: boolean | null
  support_email: string | null
  createdAt: string
  updatedAt: string
  publishedAt: string
}

/** The data of setting as bodies take it; null clears. */
export interface SettingInput {
  site_name?: string | null
  maintenance?: boolean | null
  support_email?: string | null
  links?: SharedLinkInput[] | null
  home_category?: ToOneInput
}

/** How the client knows Setting. */
export interface SettingType {
  fields: Setting
  attributes: {
    id: 'id'
    documentId: 'string'
    site_name: 'string'
    maintenance: 'boolean'
    support_email: 'email'
    createdAt: 'datetime'
    updatedAt: 'datetime'
    publishedAt: 'datetime'
  }
  links: {
    links: { components: SharedLinkType }
    home_category: { toOne: CategoryType }
  }
  required: 'site_name'
  input: SettingInput
  drafts: false
}

/** Tag (as it is once published). */
export interface Tag {
  id: number
  documentId: string
  label: string
  color: string | null
  createdAt: string
  updatedAt: string
  publishedAt: string
}

/** The data of tag as bodies take it; null clears. */
export interface TagInput {
  label?: string | null
  color?: string | null
  related?: MorphInput
}

/** How the client knows Tag. */
export interface TagType {
  fields: Tag
  attributes: {
    id: 'id'
    documentId: 'string'
    label: 'string'
    color: 'string'
    createdAt: 'datetime'
    updatedAt: 'datetime'
    publishedAt: 'datetime'
  }
  links: {
    related: { morphMany: EveryType }
  }
  required: 'label'
  input: TagInput
  drafts: false
}

/** File (as it is once published). */
export interface MediaFile {
  id: number
  documentId: string
  name: string
  alternativeText: string | null
  caption: string | null
  focalPoint: { x: number; y: number } | null
  width: number | null
  height: number | null
  formats: Record<string, FileFormat> | null
  hash: string
  ext: string | null
  mime: string
  size: number
  url: string
  previewUrl: string | null
  provider: string
  provider_metadata: Record<string, Json> | null
  createdAt: string
  updatedAt: string
  publishedAt: string
}

/** The data of file as bodies take it; null clears. */
export interface MediaFileInput {
  name?: string | null
  alternativeText?: string | null
  caption?: string | null
  focalPoint?: Json
  width?: number | null
  height?: number | null
  formats?: Json
  hash?: string | null
  ext?: string | null
  mime?: string | null
  size?: number | null
  url?: string | null
  previewUrl?: string | null
  provider?: string | null
  provider_metadata?: Json
  folderPath?: string | null
}

/** How the client knows MediaFile. */
export interface MediaFileType {
  fields: MediaFile
  attributes: {
    id: 'id'
    documentId: 'string'
    name: 'string'
    alternativeText: 'text'
    caption: 'text'
    focalPoint: 'json'
    width: 'integer'
    height: 'integer'
    formats: 'json'
    hash: 'string'
    ext: 'string'
    mime: 'string'
    size: 'decimal'
    url: 'text'
    previewUrl: 'text'
    provider: 'string'
    provider_metadata: 'json'
    createdAt: 'datetime'
    updatedAt: 'datetime'
    publishedAt: 'datetime'
  }
  links: Record<never, never>
  required: 'name' | 'hash' | 'mime' | 'size' | 'url' | 'provider'
  input: MediaFileInput
  drafts: false
}

/** Role (as it is once published). */
export interface Role {
  id: number
  documentId: string
  name: string
  description: string | null
  type: string | null
  createdAt: string
  updatedAt: string
  publishedAt: string
}

/** The data of role as bodies take it; null clears. */
export interface RoleInput {
  name?: string | null
  description?: string | null
  type?: string | null
  users?: ToManyInput
}

/** How the client knows Role. */
export interface RoleType {
  fields: Role
  attributes: {
    id: 'id'
    documentId: 'string'
    name: 'string'
    description: 'string'
    type: 'string'
    createdAt: 'datetime'
    updatedAt: 'datetime'
    publishedAt: 'datetime'
  }
  links: {
    users: { toMany: UserType }
  }
  required: 'name'
  input: RoleInput
  drafts: false
}

/** User (as it is once published). */
export interface User {
  id: number
  documentId: string
  username: string
  email: string
  provider: string | null
  confirmed: boolean | null
  blocked: boolean | null
  createdAt: string
  updatedAt: string
  publishedAt: string
}

/** The data of user as bodies take it; null clears. */
export interface UserInput {
  username?: string | null
  email?: string | null
  provider?: string | null
  password?: string | null
  confirmed?: boolean | null
  blocked?: boolean | null
  role?: ToOneInput
}

/** How the client knows User. */
export interface UserType {
  fields: User
  attributes: {
    id: 'id'
    documentId: 'string'
    username: 'string'
    email: 'email'
    provider: 'string'
    confirmed: 'boolean'
    blocked: 'boolean'
    createdAt: 'datetime'
    updatedAt: 'datetime'
    publishedAt: 'datetime'
  }
  links: {
    role: { toOne: RoleType }
  }
  required: 'username' | 'email'
  input: UserInput
  drafts: false
}

/** The component block.dish-highlight. */
export interface BlockDishHighlight {
  id: number
  documentId: string
  headline: string | null
}

/** An entry of block.dish-highlight as bodies take it; null clears. */
export interface BlockDishHighlightInput {
  /** Of an entry that is there: it keeps what is not sent. */
  id?: number
  headline?: string | null
  dish?: ToOneInput
  dishes?: ToManyInput
}

/** How the client knows BlockDishHighlight. */
export interface BlockDishHighlightType {
  fields: BlockDishHighlight
  attributes: {
    id: 'id'
    documentId: 'string'
    headline: 'string'
  }
  links: {
    dish: { toOne: DishType }
    dishes: { toMany: DishType }
  }
  required: never
}

/** The component block.faq. */
export interface BlockFaq {
  id: number
  documentId: string
  title: string | null
}

/** An entry of block.faq as bodies take it; null clears. */
export interface BlockFaqInput {
  /** Of an entry that is there: it keeps what is not sent. */
  id?: number
  title?: string | null
  entries?: BlockFaqEntryInput[] | null
}

/** How the client knows BlockFaq. */
export interface BlockFaqType {
  fields: BlockFaq
  attributes: {
    id: 'id'
    documentId: 'string'
    title: 'string'
  }
  links: {
    entries: { components: BlockFaqEntryType }
  }
  required: never
}

/** The component block.faq-entry. */
export interface BlockFaqEntry {
  id: number
  documentId: string
  question: string
  answer: string | null
}

/** An entry of block.faq-entry as bodies take it; null clears. */
export interface BlockFaqEntryInput {
  /** Of an entry that is there: it keeps what is not sent. */
  id?: number
  question?: string | null
  answer?: string | null
}

/** How the client knows BlockFaqEntry. */
export interface BlockFaqEntryType {
  fields: BlockFaqEntry
  attributes: {
    id: 'id'
    documentId: 'string'
    question: 'string'
    answer: 'richtext'
  }
  links: Record<never, never>
  required: 'question'
}

/** The component block.media-strip. */
export interface BlockMediaStrip {
  id: number
  documentId: string
  caption: string | null
}

/** An entry of block.media-strip as bodies take it; null clears. */
export interface BlockMediaStripInput {
  /** Of an entry that is there: it keeps what is not sent. */
  id?: number
  caption?: string | null
  file?: Reference | null
  files?: Reference[] | null
}

/** How the client knows BlockMediaStrip. */
export interface BlockMediaStripType {
  fields: BlockMediaStrip
  attributes: {
    id: 'id'
    documentId: 'string'
    caption: 'string'
  }
  links: {
    file: { file: MediaFileType }
    files: { files: MediaFileType }
  }
  required: never
}

/** The component block.quote. */
export interface BlockQuote {
  id: number
  documentId: string
  text: string
  author: string | null
}

/** An entry of block.quote as bodies take it; null clears. */
export interface BlockQuoteInput {
  /** Of an entry that is there: it keeps what is not sent. */
  id?: number
  text?: string | null
  author?: string | null
}

/** How the client knows BlockQuote. */
export interface BlockQuoteType {
  fields: BlockQuote
  attributes: {
    id: 'id'
    documentId: 'string'
    text: 'text'
    author: 'string'
  }
  links: Record<never, never>
  required: 'text'
}

/** The component menu.item. */
export interface MenuItem {
  id: number
  documentId: string
  label: string
  price: number | null
  vegetarian: boolean | null
}

/** An entry of menu.item as bodies take it; null clears. */
export interface MenuItemInput {
  /** Of an entry that is there: it keeps what is not sent. */
  id?: number
  label?: string | null
  price?: number | null
  vegetarian?: boolean | null
  dish?: ToOneInput
}

/** How the client knows MenuItem. */
export interface MenuItemType {
  fields: MenuItem
  attributes: {
    id: 'id'
    documentId: 'string'
    label: 'string'
    price: 'decimal'
    vegetarian: 'boolean'
  }
  links: {
    dish: { toOne: DishType }
  }
  required: 'label'
}

/** The component menu.section. */
export interface MenuSection {
  id: number
  documentId: string
  title: string
  position: number | null
}

/** An entry of menu.section as bodies take it; null clears. */
export interface MenuSectionInput {
  /** Of an entry that is there: it keeps what is not sent. */
  id?: number
  title?: string | null
  position?: number | null
  items?: MenuItemInput[] | null
  featured_dish?: ToOneInput
  photo?: Reference | null
}

/** How the client knows MenuSection. */
export interface MenuSectionType {
  fields: MenuSection
  attributes: {
    id: 'id'
    documentId: 'string'
    title: 'string'
    position: 'integer'
  }
  links: {
    items: { components: MenuItemType }
    featured_dish: { toOne: DishType }
    photo: { file: MediaFileType }
  }
  required: 'title'
}

/** The component place.address. */
export interface PlaceAddress {
  id: number
  documentId: string
  street: string
  city: string | null
  zip: string | null
}

/** An entry of place.address as bodies take it; null clears. */
export interface PlaceAddressInput {
  /** Of an entry that is there: it keeps what is not sent. */
  id?: number
  street?: string | null
  city?: string | null
  zip?: string | null
  geo?: PlaceGeoInput | null
}

/** How the client knows PlaceAddress. */
export interface PlaceAddressType {
  fields: PlaceAddress
  attributes: {
    id: 'id'
    documentId: 'string'
    street: 'string'
    city: 'string'
    zip: 'string'
  }
  links: {
    geo: { component: PlaceGeoType }
  }
  required: 'street'
}

/** The component place.geo. */
export interface PlaceGeo {
  id: number
  documentId: string
  lat: number
  lng: number
}

/** An entry of place.geo as bodies take it; null clears. */
export interface PlaceGeoInput {
  /** Of an entry that is there: it keeps what is not sent. */
  id?: number
  lat?: number | null
  lng?: number | null
}

/** How the client knows PlaceGeo. */
export interface PlaceGeoType {
  fields: PlaceGeo
  attributes: {
    id: 'id'
    documentId: 'string'
    lat: 'float'
    lng: 'float'
  }
  links: Record<never, never>
  required: 'lat' | 'lng'
}

/** The component shared.link. */
export interface SharedLink {
  id: number
  documentId: string
  label: string
  href: string | null
  weight: number | null
}

/** An entry of shared.link as bodies take it; null clears. */
export interface SharedLinkInput {
  /** Of an entry that is there: it keeps what is not sent. */
  id?: number
  label?: string | null
  href?: string | null
  weight?: number | null
}

/** How the client knows SharedLink. */
export interface SharedLinkType {
  fields: SharedLink
  attributes: {
    id: 'id'
    documentId: 'string'
    label: 'string'
    href: 'string'
    weight: 'integer'
  }
  links: Record<never, never>
  required: 'label'
}

/** The component shared.seo. */
export interface SharedSeo {
  id: number
  documentId: string
  title: string
  description: string | null
}

/** An entry of shared.seo as bodies take it; null clears. */
export interface SharedSeoInput {
  /** Of an entry that is there: it keeps what is not sent. */
  id?: number
  title?: string | null
  description?: string | null
  share_image?: Reference | null
}

/** How the client knows SharedSeo. */
export interface SharedSeoType {
  fields: SharedSeo
  attributes: {
    id: 'id'
    documentId: 'string'
    title: 'string'
    description: 'text'
  }
  links: {
    share_image: { file: MediaFileType }
  }
  required: 'title'
}

/** The project, for `createClient<Schema>` of octavo/client. */
export interface Schema {
  collections: {
    accounts: AccountType
    articles: ArticleType
    categories: CategoryType
    chefs: ChefType
    comments: CommentType
    dishes: DishType
    people: PersonType
    restaurants: RestaurantType
    reviews: ReviewType
    tags: TagType
  }
  singles: {
    banner: BannerType
    homepage: HomepageType
    setting: SettingType
  }
  file: MediaFileType
}
