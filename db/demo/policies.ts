// The policy pages, About and Contact. Plain text: a blank line separates paragraphs, `## ` starts a heading, `- ` a list item.
import type { TextSlug } from '#features/catalog/policies/slugs.ts'
import type { Bilingual } from '#features/settings/settings.ts'

interface DemoPolicy {
  slug: TextSlug
  title: Bilingual
  body: Bilingual
}

export const POLICIES: DemoPolicy[] = [
  {
    slug: 'terms-condition',
    title: { en: 'Terms and Conditions', bn: 'শর্তাবলি' },
    body: {
      en: `These terms hold for every order placed with Khamar, on this site, by phone or at the farm. By placing an order you accept them.

## Orders and prices
Prices are in taka and hold at the moment you place the order. An animal is one of its kind: it is yours once your order is placed and its advance has reached us. If two people order the same animal at once, the first order counts and the other is told at once.

## Animals sold by live weight
- The price shown is the weight of the last weighing times the rate per kilogram of the day of your booking. The rate stays fixed for you.
- Every animal is weighed once more before delivery: 4 days before for Kurbani cows, 2 days before for beef cattle. That weight settles the final price; the difference is added to or taken off what you still owe.
- An animal may gain or lose weight until then. Meat yield is usually 55–57 % of live weight and cannot be promised.
- You may come and be present at the final weighing.

## Advance and payment
- An animal is booked with an advance of 10,000 taka. The booking ends if you do not tell us of your advance within 30 minutes, or within 24 hours once you have confirmed your phone by code.
- The rest is due at delivery at the latest.
- An order paid online must be paid within 30 minutes, otherwise it is cancelled and its goods are released for other buyers.

## Next day's list
Orders placed before 9 pm count for the next day's list, later ones for the day after.

## If something happens to the animal
Should an animal fall ill or die before delivery, we offer you one of the same weight at the same rate, or all your money back. The choice is yours.`,
      bn: `খামারে দেওয়া প্রতিটি অর্ডারের জন্য এই শর্তগুলো প্রযোজ্য, তা এই সাইটে, ফোনে বা খামারে এসে যেভাবেই দেওয়া হোক। অর্ডার দিলে আপনি শর্তগুলো মেনে নিচ্ছেন।

## অর্ডার ও দাম
দাম টাকায় লেখা এবং অর্ডার দেওয়ার মুহূর্তের দামই প্রযোজ্য। প্রতিটি পশু একটিই: অর্ডার দেওয়া হলে এবং অগ্রিম আমাদের হাতে পৌঁছালে পশুটি আপনার। দুজন একই সময়ে একই পশু অর্ডার করলে যাঁর অর্ডার আগে, পশু তাঁর; অন্যজনকে সঙ্গে সঙ্গে জানানো হয়।

## লাইভ ওজনে বিক্রি হওয়া পশু
- দেখানো দাম হলো শেষ ওজন গুণ বুকিংয়ের দিনের কেজিপ্রতি দর। আপনার জন্য এই দর আর বদলায় না।
- ডেলিভারির আগে প্রতিটি পশুর আরেকবার ওজন নেওয়া হয়: কোরবানির গরুর ৪ দিন আগে, মাংসের গরুর ২ দিন আগে। সেই ওজনেই চূড়ান্ত দাম ঠিক হয়; পার্থক্য বাকি টাকার সঙ্গে যোগ বা বিয়োগ হয়।
- এর মধ্যে পশুর ওজন বাড়তে বা কমতে পারে। মাংস সাধারণত লাইভ ওজনের ৫৫–৫৭ শতাংশ হয়, তবে এর নিশ্চয়তা দেওয়া যায় না।
- চূড়ান্ত ওজনের সময় আপনি উপস্থিত থাকতে পারেন।

## অগ্রিম ও পেমেন্ট
- ১০,০০০ টাকা অগ্রিম দিয়ে পশু বুক করা যায়। ৩০ মিনিটের মধ্যে, বা কোড দিয়ে ফোন নম্বর নিশ্চিত করলে ২৪ ঘণ্টার মধ্যে অগ্রিমের কথা না জানালে বুকিং বাতিল হয়।
- বাকি টাকা ডেলিভারির সময়ের মধ্যে দিতে হবে।
- অনলাইনে পেমেন্ট ৩০ মিনিটের মধ্যে শেষ করতে হবে, না হলে অর্ডার বাতিল হয়; তখন পণ্য অন্য ক্রেতা নিতে পারেন।

## পরের দিনের তালিকা
রাত ৯টার আগের অর্ডার পরের দিনের তালিকায় যায়, ৯টার পরের অর্ডার তার পরের দিনের তালিকায়।

## পশুর কিছু হলে
ডেলিভারির আগে পশু অসুস্থ হলে বা মারা গেলে একই ওজনের আরেকটি পশু একই দরে, অথবা পুরো টাকা ফেরত; সিদ্ধান্ত আপনার।`,
    },
  },
  {
    slug: 'privacy-policy',
    title: { en: 'Privacy Policy', bn: 'গোপনীয়তা নীতি' },
    body: {
      en: `We ask only for what is needed to bring your order to your door.

## What we keep
- Your name, phone number, email and delivery address, as you give them.
- Your orders, payments and what was agreed about them.
- If you log in: a password that is kept only as a hash, which nobody can read, and a cookie that remembers you.

## What we do not keep
Card numbers and mobile-money PINs never reach us: you enter them on the payment provider's page. We show no advertising and follow nobody across other sites.

## Who sees it
Our own staff who prepare, deliver and account for your order; the payment provider you choose; the operator who sends our SMS. Nobody else, unless the law demands it.

## Your cart
The cart lives in your own browser until you order. It is deleted when you empty it or clear the browser's data.

## Your rights
Call or write to us to see, correct or delete what we hold about you. Records of payments are kept as long as the law asks.`,
      bn: `আপনার অর্ডার দরজায় পৌঁছে দিতে যতটুকু দরকার, আমরা ততটুকুই জানতে চাই।

## যা আমরা রাখি
- আপনার দেওয়া নাম, ফোন নম্বর, ইমেইল ও ডেলিভারির ঠিকানা।
- আপনার অর্ডার, পেমেন্ট এবং সে বিষয়ে যা ঠিক হয়েছে।
- লগ ইন করলে: পাসওয়ার্ড শুধু এমনভাবে (হ্যাশ) রাখা হয় যে কেউ পড়তে পারে না, আর আপনাকে মনে রাখার একটি কুকি।

## যা আমরা রাখি না
কার্ড নম্বর বা মোবাইল ব্যাংকিংয়ের পিন আমাদের কাছে আসে না; সেগুলো আপনি পেমেন্ট প্রতিষ্ঠানের পাতায় দেন। আমরা বিজ্ঞাপন দেখাই না, অন্য সাইটে কাউকে অনুসরণও করি না।

## কারা দেখেন
আমাদের যে কর্মীরা অর্ডার তৈরি করেন, পৌঁছে দেন ও হিসাব রাখেন; আপনার বেছে নেওয়া পেমেন্ট প্রতিষ্ঠান; আমাদের এসএমএস পাঠানোর অপারেটর। আইন না চাইলে আর কেউ নয়।

## আপনার কার্ট
অর্ডার না দেওয়া পর্যন্ত কার্ট আপনার নিজের ব্রাউজারেই থাকে। কার্ট খালি করলে বা ব্রাউজারের তথ্য মুছলে তা মুছে যায়।

## আপনার অধিকার
আপনার সম্পর্কে কী তথ্য আছে তা দেখতে, শুধরাতে বা মুছতে ফোন করুন বা লিখুন। পেমেন্টের হিসাব আইন যতদিন বলে ততদিন রাখা হয়।`,
    },
  },
  {
    slug: 'return-refund',
    title: { en: 'Return and Refund Policy', bn: 'ফেরত ও রিফান্ড নীতি' },
    body: {
      en: `Look at what we bring before you pay the rest. If it is not what you ordered, you need not take it.

## Fruit, cane and vegetables
- Tell us within 24 hours of delivery, with a photo, about anything spoiled, damaged or missing. We replace it with the next delivery or refund it.
- Fruit that ripens after delivery is not spoiled; the product page says how many days it takes.

## Animals
- Check the ear tag against your invoice. A wrong animal goes straight back, at our cost.
- A vet's certificate that the animal was ill on delivery: full refund or another animal.
- Once you have accepted a healthy animal with the right tag, it cannot be returned.

## Cancelling
- Goods: free of charge until they leave the farm.
- A booked animal: the advance is refunded in full up to 10 days before delivery, half of it up to the final weighing, nothing after that.
- If we cancel, you get everything back.

## How the money comes back
To the account, card or mobile-money number it came from, within 7 working days. Where the final weighing makes an animal cheaper than what you have paid, the difference is refunded on the day of delivery.`,
      bn: `বাকি টাকা দেওয়ার আগে পণ্য দেখে নিন। যা অর্ডার করেছেন তা না হলে নিতে হবে না।

## ফল, আখ ও সবজি
- নষ্ট, ক্ষতিগ্রস্ত বা কম কিছু পেলে ডেলিভারির ২৪ ঘণ্টার মধ্যে ছবিসহ জানান। পরের ডেলিভারিতে বদলে দেব অথবা টাকা ফেরত দেব।
- ডেলিভারির পর যে ফল পাকে তা নষ্ট নয়; কত দিনে পাকবে পণ্যের পাতায় লেখা আছে।

## পশু
- কানের ট্যাগ ইনভয়েসের সঙ্গে মিলিয়ে নিন। ভুল পশু হলে আমাদের খরচে সঙ্গে সঙ্গে ফেরত।
- ডেলিভারির সময় পশু অসুস্থ ছিল, পশুচিকিৎসকের এমন সনদ থাকলে পুরো টাকা ফেরত অথবা অন্য পশু।
- সঠিক ট্যাগের সুস্থ পশু বুঝে নেওয়ার পর আর ফেরত নেওয়া যায় না।

## অর্ডার বাতিল
- পণ্য: খামার থেকে বের হওয়ার আগ পর্যন্ত বিনা খরচে।
- বুক করা পশু: ডেলিভারির ১০ দিন আগ পর্যন্ত পুরো অগ্রিম ফেরত, চূড়ান্ত ওজনের আগ পর্যন্ত অর্ধেক, তার পরে ফেরত নেই।
- আমরা বাতিল করলে সব টাকা ফেরত পাবেন।

## টাকা যেভাবে ফেরত আসে
যে অ্যাকাউন্ট, কার্ড বা মোবাইল ব্যাংকিং নম্বর থেকে এসেছে সেখানেই, ৭ কর্মদিবসের মধ্যে। চূড়ান্ত ওজনে পশুর দাম আপনার দেওয়া টাকার চেয়ে কমে গেলে পার্থক্য ডেলিভারির দিনই ফেরত দেওয়া হয়।`,
    },
  },
  {
    slug: 'shipping-info',
    title: { en: 'Shipping Information', bn: 'ডেলিভারির তথ্য' },
    body: {
      en: `Everything comes from our own farm in our own vehicles or with a courier we know.

## Where and for how much
- Cattle by pickup: 1,500 taka inside Dhaka, 2,500 taka in Chattogram, 950 taka in Bogura, Rangpur and Dinajpur. Not to other areas yet.
- Fruit, cane and vegetables: from 80 taka in Dhaka, up to 180 taka elsewhere. The cart shows the charge of your area.
- Several things in one order: only the highest charge counts, once; twice if you choose two deliveries.

## When
- Order before 9 pm for delivery the next day; the product page shows the earliest day.
- We call you the day before delivery to agree on the hour.
- Kurbani cows are brought in the days before Eid, on the day printed with the animal, after its final weighing.

## At your door
- Someone must be at home to receive an animal. Please have a place to tie it, shade and water.
- Check the ear tag, look the animal over, then sign.
- Our driver takes the rest of the payment in cash or by mobile money and gives you a receipt.`,
      bn: `সবকিছু আসে আমাদের নিজেদের খামার থেকে, আমাদের নিজস্ব গাড়িতে বা চেনা কুরিয়ারে।

## কোথায়, কত টাকায়
- পিকআপে গরু: ঢাকার ভেতরে ১,৫০০ টাকা, চট্টগ্রামে ২,৫০০ টাকা, বগুড়া, রংপুর ও দিনাজপুরে ৯৫০ টাকা। অন্য এলাকায় এখনো নয়।
- ফল, আখ ও সবজি: ঢাকায় ৮০ টাকা থেকে, অন্য এলাকায় ১৮০ টাকা পর্যন্ত। আপনার এলাকার চার্জ কার্টে দেখা যাবে।
- এক অর্ডারে একাধিক পণ্য থাকলে শুধু সবচেয়ে বেশি চার্জটি, একবারই; দুইবারে ডেলিভারি নিলে দুবার।

## কবে
- রাত ৯টার মধ্যে অর্ডার করলে পরের দিন ডেলিভারি; কবে পাওয়া যাবে পণ্যের পাতায় লেখা আছে।
- সময় ঠিক করতে ডেলিভারির আগের দিন আমরা ফোন করি।
- কোরবানির গরু ঈদের আগের দিনগুলোতে, পশুর পাতায় লেখা দিনে, চূড়ান্ত ওজনের পর পৌঁছে দেওয়া হয়।

## আপনার দরজায়
- পশু বুঝে নেওয়ার জন্য কাউকে থাকতে হবে। বাঁধার জায়গা, ছায়া ও পানির ব্যবস্থা রাখুন।
- কানের ট্যাগ মিলিয়ে, পশু দেখে তারপর সই করুন।
- বাকি টাকা আমাদের চালক নগদে বা মোবাইল ব্যাংকিংয়ে নেবেন এবং রসিদ দেবেন।`,
    },
  },
  {
    slug: 'about',
    title: { en: 'About Khamar', bn: 'খামারের কথা' },
    body: {
      en: `Khamar is a family farm in Shajahanpur, Bogura. We raise beef cattle and Kurbani cows and grow the fruit that we sell; nothing is bought in.

## How we work
- Every animal has a yellow ear tag. Its weighings are on its page, with the day and the person who weighed it.
- You pay by the weight of the final weighing, and may stand beside the scale.
- Fruit is picked the day before it is delivered, without carbide.

## Visit us
You are welcome at the farm every day. Call before you come, and we show you the animals that you chose.`,
      bn: `খামার বগুড়ার শাজাহানপুরের একটি পারিবারিক খামার। মাংসের গরু ও কোরবানির গরু আমরা নিজেরা পালি, যে ফল বেচি তা নিজেরা ফলাই; বাইরে থেকে কিছু কেনা হয় না।

## যেভাবে কাজ করি
- প্রতিটি পশুর কানে হলুদ ট্যাগ থাকে। কবে কে ওজন নিয়েছেন, সব ওজন পশুর পাতায় লেখা থাকে।
- দাম দেবেন চূড়ান্ত ওজন অনুযায়ী; ওজন নেওয়ার সময় পাশে থাকতে পারেন।
- ফল পাড়া হয় ডেলিভারির আগের দিন, কার্বাইড ছাড়া।

## দেখতে আসুন
প্রতিদিন খামারে আসতে পারেন। আসার আগে ফোন করলে আপনার বাছাই করা পশু দেখিয়ে দেব।`,
    },
  },
  {
    slug: 'contact',
    title: { en: 'Contact', bn: 'যোগাযোগ' },
    body: {
      en: `Call or write on WhatsApp; we answer during opening hours. About an order, please have its number ready.`,
      bn: `ফোন করুন বা হোয়াটসঅ্যাপে লিখুন; খোলা থাকার সময় উত্তর দিই। অর্ডারের বিষয়ে জানতে অর্ডার নম্বর হাতে রাখুন।`,
    },
  },
]
