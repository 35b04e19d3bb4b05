// Fruit, cane and vegetables of the demo shop. Prices in taka a unit, sizes in the unit.
import type { ProductStatus, Unit } from '#features/catalog/types.ts'
import type { Bilingual } from '#features/catalog/settings.ts'

export interface DemoProduce {
  /** Which picture, and with its place in the list its barcode. */
  art: string
  categoryId: 3 | 5 | 6
  name: Bilingual
  about: Bilingual
  /** Latin spellings of the Bengali name, other names, Bengali variants. */
  aliases: string
  price: number
  unit: Unit
  sizes: number[]
  /** How many are there; null = not counted. */
  stock: number | null
  status: ProductStatus
  discount?: { kind: 'percentage' | 'fixed'; value: number }
  note?: Bilingual
  /** Days until it can be delivered. */
  deliveryIn?: number
}

export const PRODUCE: DemoProduce[] = [
  {
    art: 'himsagar', categoryId: 3, name: { en: 'Himsagar mango', bn: 'হিমসাগর আম' }, aliases: 'aam am himsagor khirsapat ক্ষীরশাপাত আঁব',
    price: 120, unit: 'kg', sizes: [5, 10, 20], stock: 640, status: 'in-stock', deliveryIn: 2,
    about: {
      en: 'Thin-skinned, without fibre, and sweet to the stone. Picked at first light the day before it leaves, never ripened with carbide.',
      bn: 'পাতলা খোসা, আঁশ নেই, আঁটি পর্যন্ত মিষ্টি। পাঠানোর আগের দিন ভোরে গাছ থেকে পাড়া, কার্বাইডে পাকানো নয়।',
    },
    note: { en: 'Keep at room temperature; ripe in two or three days.', bn: 'ঘরের তাপমাত্রায় রাখুন; দুই–তিন দিনে পাকবে।' },
  },
  {
    art: 'langra', categoryId: 3, name: { en: 'Langra mango', bn: 'ল্যাংড়া আম' }, aliases: 'aam am lengra langda নেংড়া',
    price: 110, unit: 'kg', sizes: [5, 10, 20], stock: null, status: 'pre-book', deliveryIn: 12,
    about: {
      en: 'Green even when ripe, fragrant, a little tart. The first harvest goes to those who have ordered ahead.',
      bn: 'পাকলেও সবুজ থাকে, সুগন্ধি, হালকা টক-মিষ্টি। প্রথম পাড়া আম যাবে যাঁরা আগে অর্ডার করেছেন তাঁদের কাছে।',
    },
  },
  {
    art: 'amrapali', categoryId: 3, name: { en: 'Amrapali mango', bn: 'আম্রপালি আম' }, aliases: 'aam am amropali amrupali আমরুপালি',
    price: 100, unit: 'kg', sizes: [5, 10, 20], stock: 480, status: 'in-stock', deliveryIn: 2,
    discount: { kind: 'percentage', value: 10 },
    about: {
      en: 'Small and deep orange inside; the sweetest mango of our orchard and the longest to keep.',
      bn: 'ছোট আম, ভেতরে গাঢ় কমলা; আমাদের বাগানের সবচেয়ে মিষ্টি আম, থাকেও সবচেয়ে বেশি দিন।',
    },
  },
  {
    art: 'fazli', categoryId: 3, name: { en: 'Fazli mango', bn: 'ফজলি আম' }, aliases: 'aam am fozli fojli',
    price: 85, unit: 'kg', sizes: [10, 20, 40], stock: 300, status: 'hold', deliveryIn: 20,
    about: {
      en: 'The big late mango, up to a kilogram each; good fresh and best for pickle.',
      bn: 'মৌসুমের শেষের বড় আম, একেকটি এক কেজি পর্যন্ত; খেতে ভালো, আচারে সেরা।',
    },
  },
  {
    art: 'jackfruit', categoryId: 3, name: { en: 'Jackfruit', bn: 'কাঁঠাল' }, aliases: 'kathal kanthal katal কাঠাল',
    price: 180, unit: 'piece', sizes: [], stock: null, status: 'in-stock', deliveryIn: 2,
    about: { en: 'Tree-ripened, 6 to 8 kg each, firm golden bulbs.', bn: 'গাছপাকা, প্রতিটি ৬–৮ কেজি, খাজা সোনালি কোয়া।' },
  },
  {
    art: 'litchi', categoryId: 3, name: { en: 'Bombai litchi', bn: 'বোম্বাই লিচু' }, aliases: 'lichu lychee leechi দিনাজপুরের লিচু',
    price: 340, unit: 'bundle', sizes: [1, 2, 5], stock: null, status: 'pre-book', deliveryIn: 9,
    about: {
      en: 'A bundle is 100 litchis on the stem, from Dinajpur. Sent the night they are picked.',
      bn: 'এক আঁটিতে বোঁটাসহ ১০০টি লিচু, দিনাজপুরের। যে রাতে পাড়া সেই রাতেই পাঠানো।',
    },
  },
  {
    art: 'guava', categoryId: 3, name: { en: 'Guava', bn: 'পেয়ারা' }, aliases: 'peyara payara goyam গয়াম সবরি',
    price: 70, unit: 'kg', sizes: [2, 5, 10], stock: 220, status: 'in-stock', deliveryIn: 1,
    about: { en: 'Crisp, few seeds, bagged on the tree against insects.', bn: 'কচকচে, বিচি কম, পোকা ঠেকাতে গাছেই ব্যাগে মোড়া।' },
  },
  {
    art: 'papaya', categoryId: 3, name: { en: 'Ripe papaya', bn: 'পাকা পেঁপে' }, aliases: 'pepe pepay pape',
    price: 65, unit: 'kg', sizes: [2, 4, 6], stock: 90, status: 'in-stock', deliveryIn: 1,
    discount: { kind: 'fixed', value: 5 },
    about: { en: 'Red flesh, ripened on the tree, ready for the morning plate.', bn: 'লাল শাঁস, গাছে পাকা, সকালের নাশতার জন্য তৈরি।' },
  },
  {
    art: 'banana', categoryId: 3, name: { en: 'Sagar banana', bn: 'সাগর কলা' }, aliases: 'kola kala shagor sagor kela',
    price: 110, unit: 'dozen', sizes: [1, 2, 4], stock: 150, status: 'in-stock', deliveryIn: 1,
    about: { en: 'Long, yellow and mild. Cut green and ripened in straw, without chemicals.', bn: 'লম্বা, হলুদ, মোলায়েম। কাঁচা কেটে খড়ে পাকানো, কোনো কেমিক্যাল ছাড়া।' },
  },
  {
    art: 'champa', categoryId: 3, name: { en: 'Champa banana', bn: 'চাঁপা কলা' }, aliases: 'kola kala chapa champa',
    price: 80, unit: 'dozen', sizes: [1, 2, 4], stock: 0, status: 'out-of-stock',
    about: { en: 'Short, plump and a little sour: the banana of the village.', bn: 'ছোট, মোটা, হালকা টক: গ্রামের চেনা কলা।' },
  },
  {
    art: 'pineapple', categoryId: 3, name: { en: 'Honey Queen pineapple', bn: 'জলডুগি আনারস' }, aliases: 'anaros anarosh ananas joldugi মধুপুর',
    price: 45, unit: 'piece', sizes: [4, 8, 12], stock: 400, status: 'in-stock', deliveryIn: 1,
    about: { en: 'Small, golden, very sweet; grown in the red soil of Madhupur.', bn: 'ছোট, সোনালি, খুব মিষ্টি; মধুপুরের লাল মাটিতে ফলানো।' },
  },
  {
    art: 'watermelon', categoryId: 3, name: { en: 'Watermelon', bn: 'তরমুজ' }, aliases: 'tormuj tarmuj tormuz',
    price: 220, unit: 'piece', sizes: [], stock: 60, status: 'in-stock', deliveryIn: 2,
    about: { en: 'From the river islands, 5 to 6 kg each, red to the rind.', bn: 'চরের তরমুজ, প্রতিটি ৫–৬ কেজি, ভেতরে টকটকে লাল।' },
  },
  {
    art: 'coconut', categoryId: 3, name: { en: 'Green coconut', bn: 'কচি ডাব' }, aliases: 'dab daab narikel narkel নারিকেল',
    price: 75, unit: 'piece', sizes: [5, 10, 20], stock: null, status: 'in-stock', deliveryIn: 1,
    about: { en: 'Cut the same morning, two full glasses in each.', bn: 'সেদিন সকালে কাটা, একেকটিতে পুরো দুই গ্লাস পানি।' },
  },
  {
    art: 'malta', categoryId: 3, name: { en: 'Malta orange', bn: 'মাল্টা' }, aliases: 'malta komola orange কমলা',
    price: 160, unit: 'kg', sizes: [2, 5, 10], stock: 130, status: 'in-stock', deliveryIn: 1,
    about: { en: 'Bari Malta-1: stays green outside, full of juice inside.', bn: 'বারি মাল্টা-১: বাইরে সবুজাভ, ভেতরে রসে ভরা।' },
  },
  {
    art: 'lemon', categoryId: 3, name: { en: 'Kagzi lime', bn: 'কাগজি লেবু' }, aliases: 'lebu kagji lemon kagozi',
    price: 60, unit: 'dozen', sizes: [1, 2, 5], stock: 240, status: 'in-stock', deliveryIn: 1,
    about: { en: 'Thin skin, strong scent, for the rice plate and the glass.', bn: 'পাতলা খোসা, কড়া ঘ্রাণ; ভাতের পাতে, শরবতে।' },
  },
  {
    art: 'pomelo', categoryId: 3, name: { en: 'Pomelo', bn: 'জাম্বুরা' }, aliases: 'jambura batabi lebu বাতাবি লেবু',
    price: 55, unit: 'piece', sizes: [2, 4, 8], stock: 0, status: 'out-of-stock',
    about: { en: 'Large, pink inside, sweet with an edge.', bn: 'বড়, ভেতরে গোলাপি, মিষ্টির সঙ্গে হালকা টক।' },
  },
  {
    art: 'gopalbhog', categoryId: 3, name: { en: 'Gopalbhog mango, whole lot', bn: 'গোপালভোগ আম, পুরো লট' }, aliases: 'aam am gopalvog gopalbhog',
    price: 105, unit: 'kg', sizes: [5, 10, 20], stock: 0, status: 'sold',
    about: { en: 'The first mango of the season; this year’s harvest is sold.', bn: 'মৌসুমের প্রথম আম; এ বছরের ফলন বিক্রি শেষ।' },
  },
  {
    art: 'sugarcane', categoryId: 5, name: { en: 'Sugarcane, peeling cane', bn: 'চিবিয়ে খাওয়ার আখ' }, aliases: 'akh aakh ikkhu ganna ইক্ষু গ্যান্ডারি gandari',
    price: 45, unit: 'piece', sizes: [4, 8, 20], stock: null, status: 'in-stock', deliveryIn: 1,
    about: { en: 'Soft black-purple cane of six to seven feet, cut the morning it leaves.', bn: 'নরম কালো-বেগুনি আখ, ছয়–সাত ফুট; যেদিন পাঠাই সেদিন সকালে কাটা।' },
  },
  {
    art: 'cane-bundle', categoryId: 5, name: { en: 'Sugarcane for juice', bn: 'রসের আখ' }, aliases: 'akh aakh ikkhu ros ইক্ষু bundle',
    price: 18, unit: 'kg', sizes: [10, 20, 50], stock: 3000, status: 'in-stock', deliveryIn: 1,
    discount: { kind: 'percentage', value: 5 },
    about: { en: 'Isward yellow cane in cut lengths, washed, for the press.', bn: 'ঈশ্বরদী হলুদ আখ, টুকরা করা ও ধোয়া, মেশিনে দেওয়ার জন্য।' },
  },
  {
    art: 'cane-seed', categoryId: 5, name: { en: 'Sugarcane setts for planting', bn: 'রোপণের আখের চারা' }, aliases: 'akh chara seed cane bij বীজ আখ',
    price: 12, unit: 'piece', sizes: [50, 100], stock: 2000, status: 'pre-book', deliveryIn: 25,
    about: { en: 'Two-eyed setts, treated, of the variety we grow ourselves.', bn: 'দুই চোখের শোধিত কাটিং, আমরা নিজেরা যে জাত চাষ করি।' },
  },
  {
    art: 'gur', categoryId: 5, name: { en: 'Cane jaggery', bn: 'আখের গুড়' }, aliases: 'akher gur goor jaggery patali পাটালি',
    price: 190, unit: 'kg', sizes: [1, 2, 5], stock: 85, status: 'in-stock', deliveryIn: 1,
    about: { en: 'Boiled in open pans from our own cane, without hydrose.', bn: 'নিজেদের আখের রস খোলা কড়াইয়ে জ্বাল দেওয়া, হাইড্রোজ ছাড়া।' },
  },
  {
    art: 'potato', categoryId: 6, name: { en: 'Potato, Diamant', bn: 'আলু, ডায়মন্ড' }, aliases: 'alu aloo diamond গোল আলু',
    price: 32, unit: 'kg', sizes: [5, 10, 20], stock: 1200, status: 'in-stock', deliveryIn: 1,
    about: { en: 'New crop from Bogura, sorted by hand.', bn: 'বগুড়ার নতুন আলু, হাতে বাছাই করা।' },
  },
  {
    art: 'onion', categoryId: 6, name: { en: 'Onion, local', bn: 'দেশি পেঁয়াজ' }, aliases: 'peyaj piyaj peaj পিঁয়াজ',
    price: 78, unit: 'kg', sizes: [2, 5, 10], stock: 350, status: 'in-stock', deliveryIn: 1,
    about: { en: 'Small, strong, keeps for months in an airy place.', bn: 'ছোট, ঝাঁজালো, বাতাস চলে এমন জায়গায় মাসের পর মাস থাকে।' },
  },
  {
    art: 'eggplant', categoryId: 6, name: { en: 'Eggplant', bn: 'গোল বেগুন' }, aliases: 'begun baigun brinjal বাইগন',
    price: 55, unit: 'kg', sizes: [1, 2, 5], stock: 75, status: 'in-stock', deliveryIn: 1,
    about: { en: 'Round and glossy, for frying in thick slices.', bn: 'গোল, চকচকে; মোটা চাক করে ভাজার জন্য।' },
  },
  {
    art: 'carrot', categoryId: 6, name: { en: 'Carrot', bn: 'গাজর' }, aliases: 'gajor gazor',
    price: 48, unit: 'kg', sizes: [1, 2, 5], stock: 0, status: 'out-of-stock',
    about: { en: 'Pulled to order, sent with the leaves off.', bn: 'অর্ডার পেয়ে তোলা, পাতা ছাড়া পাঠানো।' },
  },
  {
    art: 'rice', categoryId: 6, name: { en: 'Chinigura rice', bn: 'চিনিগুঁড়া চাল' }, aliases: 'chinigura chal polao rice পোলাওর চাল',
    price: 135, unit: 'kg', sizes: [5, 10, 25], stock: 800, status: 'in-stock', deliveryIn: 1,
    about: { en: 'Fragrant short grain from Dinajpur, one year old, for polao and firni.', bn: 'দিনাজপুরের সুগন্ধি খাটো চাল, এক বছরের পুরোনো; পোলাও ও ফিরনির জন্য।' },
  },
]
