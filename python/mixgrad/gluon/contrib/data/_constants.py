"""Words that stand for something else in texts."""

EOS_TOKEN = "<eos>"
