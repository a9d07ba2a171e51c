/** Related words of learning machines, science, papers, trading and language models. Form: developer-vocabulary.ts. */
export const WORDS_OF_DATA = `
# Machine learning
train finetune fit
finetune lora adapter sft
model weights checkpoint
checkpoint weights resume snapshot
epoch step iteration batch
batch minibatch size
loss objective criterion nll
gradient optimizer adam sgd backprop
optimizer adam adamw sgd learning
lr learning rate schedule warmup
overfit regularization dropout generalize
hyperparameter tune tuning sweep optuna grid
tune tuning calibrate adjust
sweep hyperparameter wandb experiment
wandb mlflow tensorboard experiment tracking
experiment run trial ablation
ablation baseline comparison experiment
baseline benchmark reference compare
eval evaluation benchmark score
benchmark eval leaderboard suite
metric accuracy precision recall f1 auc
accuracy precision recall correct
precision recall f1 threshold
classifier classification label class
label annotation groundtruth gold
annotator rater labeler agreement
regression linear logistic predict
predict forecast inference
inference serving vllm predict generate
cluster kmeans group
embedding vector similarity cosine
vector pgvector faiss qdrant pinecone embedding
similarity cosine distance nearest
rag retrieval chunk embedding
retrieval search ranking rerank recall
bm25 lexical fulltext keyword search
transformer attention bert llm
cnn convolution resnet vision
detection yolo bounding box object
segmentation mask sam
diffusion stable lora image generation
torch pytorch tensor cuda
pytorch tensorflow jax keras
tensor shape dimension ndarray
huggingface hf hub transformers
quantize int8 fp16 gguf
fp16 bf16 precision float
gpu a100 h100 vram node
slurm sbatch srun hpc partition
cluster slurm node queue
job slurm sbatch run
distributed ddp fsdp multigpu nccl
seed random reproducible determinism
reproducible reproducibility deterministic seed
random randomness seed stochastic
split train validation holdout
holdout heldout unseen
leak leakage contamination holdout
contamination leakage overlap dedup
dedup deduplicate duplicate unique
imbalance oversample weighting
augmentation synthetic
synthetic generated fake artificial
feature engineering column input
pretrain corpus
reward rl reinforcement rlhf policy
# Data science
pandas dataframe polars df
numpy array vectorize scipy
notebook jupyter ipynb colab
matplotlib seaborn plotly figure
plot figure chart graph
figure fig plot caption
axis label tick legend unit
histogram distribution density
mean average median
outlier anomaly noise
missing nan null imputation
noise noisy variance
variance deviation std sigma
confidence interval bootstrap uncertainty
uncertainty error interval confidence
significance pvalue statistical hypothesis
statistics statistical stats
correlation causal regression
subset sample small slice
bin bucket histogram
aggregate group sum rollup
csv parquet arrow feather
parquet arrow columnar
spark hadoop databricks pyspark
airflow dagster prefect dag orchestration
pipeline etl ingestion dag
scrape scraper crawl crawler spider
robots scrape crawl polite
r tidyverse ggplot rstudio
sas stata spss
survey questionnaire respondent response
census population demographic
timeseries forecast seasonal trend
unit conversion metric imperial
units metric celsius fahrenheit
round decimal precision
float precision decimal
# Science
simulation solver model
solver optimization linear integer
mesh finite element fem
matlab simulink octave
fortran hpc mpi
mpi openmp parallel
numerical convergence stability tolerance
tolerance epsilon approx
equation formula derivation math latex
proof theorem lemma lean
genome gene dna sequencing bioinformatics
protein structure fold
patient clinical medical hospital
clinical trial cohort patient
medical health hipaa patient
chemistry molecule compound reaction
astronomy telescope star
climate weather forecast
weather forecast temperature rain
lab experiment protocol sample
measurement reading value
calibration offset
# Papers
paper manuscript article publication preprint
paper latex overleaf tex
latex tex overleaf pdf
bibliography bibtex bib reference citation cite
cite citing citation reference bibliography
reference citation source literature
abstract introduction conclusion section
related literature survey work
reviewer rebuttal review referee
submission submit conference venue deadline
conference neurips icml acl workshop venue
cameraready deadline submission
anonymous blind anonymized author
author coauthor affiliation
supervisor advisor professor phd
phd thesis dissertation student
thesis dissertation chapter
student teacher course class
grant proposal funding
arxiv preprint upload
claim evidence result support
result finding outcome
appendix supplementary
page limit length
journal editor review
dataset corpus benchmark license
# Language models and agents
llm model gpt claude gemini language
claude anthropic opus sonnet haiku
openai gpt chatgpt codex
gemini google vertex
ollama llama local llamacpp
model provider openai anthropic
prompt instruction system template
prompt wording fewshot
instruction claudemd agentsmd rule
context window compaction token length
compaction summarize context
token cost price usage
hallucination invent fabricate madeup
fabricate invent fake made
agent subagent worker orchestrator
subagent agent task parallel delegate
delegate subagent assign handoff
handoff continue resume
continue resume proceed
session conversation chat transcript
conversation dialogue chat thread
mcp server tool
skill command slash
memory remember recall note
remember memory note save
forget memory
guardrail safety moderation filter
moderation abuse content
temperature sampling deterministic
eval grader judge rubric testcase
rubric criteria grading score
completion generation response output
structured json schema output
transcript log session jsonl
copilot cursor ide assistant
editor ide vscode vim neovim emacs
vscode extension editor
vim neovim nvim editor
worktree branch checkout parallel
permission allow deny approve
autonomous unattended overnight alone
# Bots
bot chatbot assistant
slack channel
discord guild channel bot
telegram bot chat
whatsapp twilio sms
sms phone
twitter tweet post
reddit subreddit post
mastodon bluesky fediverse
social media post linkedin instagram
instagram tiktok social
linkedin post recruiter
post publish share
playwright puppeteer selenium headless browser
selenium webdriver browser
headless browser chromium
captcha scrape block
# Trading and money
trade order position
order buy sell
buy sell purchase
strategy backtest signal alpha
backtest historical simulate
broker exchange ibkr alpaca binance
binance exchange crypto coinbase
crypto bitcoin ethereum blockchain wallet
wallet address key crypto
solidity contract ethereum evm
stock equity share ticker
option strike expiry derivative
portfolio holding allocation position
risk drawdown exposure
price quote candle ohlc tick
fee commission slippage spread
spread bid ask
dryrun simulated sandbox
dividend interest yield
market exchange
profit pnl loss return
forex fx currency
bank account transfer iban
accounting ledger bookkeeping
ledger balance entry journal
`;
